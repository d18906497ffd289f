#include "forerun/watch/command_desk.hpp"

#include <utility>

namespace forerun::watch {

CommandDesk::CommandDesk(web::WebServer& web, web::PageHub& hub, PageFeed& feed, OnDemo on_demo, web::PageSink* sink)
    : web_(web), hub_(hub), feed_(feed), on_demo_(std::move(on_demo)), sink_(sink != nullptr ? *sink : hub) {
  feed_.offer_images();
}

void CommandDesk::set_settings(const web::DemoSettings& settings) {
  settings_ = settings;
  sink_.set_demo(settings);
}

void CommandDesk::turn() {
  for (const web::WebEvent& event : web_.take_events()) {
    switch (event.kind) {
      case web::WebEvent::Kind::joined:
        hub_.welcome(event.browser);
        break;
      case web::WebEvent::Kind::left:
        feed_.leave(event.browser);
        break;
      case web::WebEvent::Kind::said:
        hear(event);
        break;
    }
  }
}

void CommandDesk::hear(const web::WebEvent& event) {
  const auto wish = web::parse_page_wish(event.text, settings_);
  if (!wish) return hub_.refuse(event.browser, wish.error().message);
  if (wish->demo) {
    if (!on_demo_) return hub_.refuse(event.browser, "there is nothing to set here: this is no demo");
    const auto done = on_demo_(*wish->demo);
    if (!done) return hub_.refuse(event.browser, done.error().message);
    return set_settings(*wish->demo);
  }
  if (wish->replay) return hub_.refuse(event.browser, "there is nothing to play here: this is no recording");
  if (wish->robot != 1) return hub_.refuse(event.browser, "there is no such robot");
  if (wish->look) feed_.look_through(event.browser, *wish->look);
  if (wish->command) feed_.give(*wish->command, event.browser);
  if (wish->mission) take_mission(*wish->mission, event.browser);
}

void CommandDesk::take_mission(const web::MissionPart& part, web::BrowserId browser) {
  const auto whole = parts_.take(browser, part);
  if (!whole) return hub_.refuse(browser, whole.error().message);
  if (!*whole) return;
  if (const auto brought = feed_.bring(**whole); !brought) hub_.refuse(browser, brought.error().message);
}

}  // namespace forerun::watch
