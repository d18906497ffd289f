// What the browsers of one robot's page ask for: commands, settings of a demo, the pace of a recording.
#pragma once

#include <functional>

#include "forerun/watch/mission_parts.hpp"
#include "forerun/watch/page_feed.hpp"
#include "forerun/web/page_hub.hpp"
#include "forerun/web/web_server.hpp"

namespace forerun::watch {

// Deals with what the browsers of one robot's page do.
class CommandDesk {
 public:
  using OnDemo = std::function<Result<void>(const web::DemoSettings&)>;

  // All must outlive the desk. Without `on_demo` there is nothing to set. `sink` hears of settings: the hub, or what
  // stands before it.
  CommandDesk(web::WebServer& web, web::PageHub& hub, PageFeed& feed, OnDemo on_demo = {},
              web::PageSink* sink = nullptr);
  // Takes what has come; call it whenever the server's descriptor can be read, or more often.
  void turn();
  void set_settings(const web::DemoSettings& settings);

 private:
  void hear(const web::WebEvent& event);
  void take_mission(const web::MissionPart& part, web::BrowserId browser);

  web::WebServer& web_;
  web::PageHub& hub_;
  PageFeed& feed_;
  OnDemo on_demo_;
  web::PageSink& sink_;
  web::DemoSettings settings_;
  MissionParts parts_;
};

}  // namespace forerun::watch
