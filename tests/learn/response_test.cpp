// What recorded drives teach of a robot's response.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/base/math.hpp"
#include "forerun/learn/evaluate_response.hpp"
#include "forerun/learn/identify_response.hpp"
#include "forerun/learn/train_response.hpp"
#include "tests/respond/simulated_robot.hpp"

namespace forerun::learn {
namespace {

using respond::Response;

const Response kTruth{{0.12, 0.1, 0.93}, {0.12, 0.1, 0.93}, {0.07, 0.05, 1.04}};

CommandedDrive make_drive(const respond::DriveShape& shape) {
  const respond::SimulatedDrive simulated = respond::simulate(shape);
  CommandedDrive drive{.file = "drive.csv", .sideways = shape.sideways, .period = 1 / shape.rate_hz};
  CommandedStretch stretch;
  for (const auto& [time, command] : simulated.commands) stretch.commands.push_back({time, command});
  for (const auto& [time, pose] : simulated.seen) stretch.poses.push_back({time, pose});
  drive.stretches.push_back(std::move(stretch));
  return drive;
}

TrainParams quick() {
  TrainParams params;
  params.network.epochs = 8;
  return params;
}

TEST(IdentifyResponse, FindsDelayLagAndGain) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 120})};
  const Response found = identify_response(drives);
  EXPECT_NEAR(found.forward.delay, 0.12, 0.015);
  EXPECT_NEAR(found.forward.lag, 0.1, 0.02);
  EXPECT_NEAR(found.forward.gain, 0.93, 0.01);
  EXPECT_NEAR(found.turn.delay, 0.07, 0.01);
  EXPECT_NEAR(found.turn.lag, 0.05, 0.015);
  EXPECT_NEAR(found.turn.gain, 1.04, 0.01);
  const Response delays = identify_delays(drives);
  EXPECT_EQ(delays.forward.lag, 0);
  EXPECT_EQ(delays.forward.gain, 1);
  EXPECT_NEAR(delays.forward.delay, 0.22, 0.03) << "delay and lag together";
}

TEST(TrainResponse, OursIsAheadOfThePapersOnAnotherDrive) {
  const std::vector<CommandedDrive> train{make_drive({.response = kTruth, .seconds = 180, .seed = 1}),
                                          make_drive({.response = kTruth, .seconds = 120, .seed = 2})};
  const std::vector<CommandedDrive> test{make_drive({.response = kTruth, .seconds = 90, .seed = 3})};
  const auto model = train_response(train, quick());
  ASSERT_TRUE(model) << model.error().message;
  const auto errors = evaluate_response(*model, test);
  ASSERT_TRUE(errors) << errors.error().message;
  ASSERT_EQ(errors->size(), 3U);
  for (const HorizonErrors& one : *errors) {
    const double best = one.of(Method::best).place_rms();
    for (const Method other : {Method::hold, Method::velocity, Method::commands, Method::linear, Method::network}) {
      EXPECT_LT(best, one.of(other).place_rms()) << one.horizon << ' ' << kMethodNames[static_cast<std::size_t>(other)];
    }
    EXPECT_LT(best, 0.01) << one.horizon;
    EXPECT_LE(one.of(Method::best).place_rms(), one.of(Method::best).place_p95());
  }
}

// The same commands, told again and again with a last digit that changes.
CommandedDrive told_often(CommandedDrive drive, double period) {
  std::vector<GivenCommand> often;
  for (std::size_t i = 0; i < drive.stretches[0].commands.size(); ++i) {
    const auto& commands = drive.stretches[0].commands;
    const double end = i + 1 < commands.size() ? commands[i + 1].time : commands[i].time + 1;
    for (int k = 0; commands[i].time + k * period < end; ++k) {
      often.push_back({commands[i].time + k * period, commands[i].velocity});
      often.back().velocity.vx += k % 2 * 1e-9;
    }
  }
  drive.stretches[0].commands = std::move(often);
  return drive;
}

TEST(EvaluateResponse, HowOftenCommandsAreToldDoesNotMatter) {
  const CommandedDrive train = make_drive({.response = kTruth, .seconds = 60, .seed = 1});
  const auto model = train_response(std::vector{train}, quick());
  ASSERT_TRUE(model) << model.error().message;
  const CommandedDrive drive = make_drive({.response = kTruth, .seconds = 40, .seed = 2});
  const auto seldom = evaluate_response(*model, std::vector{drive});
  for (const double period : {0.02, 0.004, 0.001}) {
    const auto often = evaluate_response(*model, std::vector{told_often(drive, period)});
    ASSERT_TRUE(seldom && often);
    for (std::size_t h = 0; h < 3; ++h) {
      for (const Method method : {Method::response, Method::best}) {
        EXPECT_NEAR(often->at(h).of(method).place_rms(), seldom->at(h).of(method).place_rms(), 0.002) << period;
      }
    }
  }
}

TEST(TrainResponse, TheSameDrivesGiveTheSameModel) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 40})};
  const auto a = train_response(drives, quick()), b = train_response(drives, quick());
  ASSERT_TRUE(a && b);
  EXPECT_EQ(write_model(*a), write_model(*b));
  TrainParams other = quick();
  other.network.seed = 2;
  EXPECT_NE(write_model(*a), write_model(*train_response(drives, other)));
}

TEST(TrainResponse, DrivesSidewaysToo) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 120, .sideways = true})};
  const auto model = train_response(drives, quick());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->best.sideways);
  const auto errors =
      evaluate_response(*model, std::vector{make_drive({.response = kTruth, .sideways = true, .seed = 9})});
  ASSERT_TRUE(errors) << errors.error().message;
  EXPECT_LT(errors->at(1).of(Method::best).place_rms(), 0.01);
}

TEST(TrainResponse, RefusesPoorRecordings) {
  const auto why = [](const respond::DriveShape& shape, const std::function<void(CommandedDrive&)>& change) {
    std::vector<CommandedDrive> drives{make_drive(shape)};
    change(drives[0]);
    const auto model = train_response(drives, quick());
    return model ? "taken" : model.error().message;
  };
  EXPECT_EQ(why({.seconds = 10}, [](auto&) {}), "the recordings hold 9.9 s of driving, but at least 20 s are needed");
  EXPECT_EQ(why({.seconds = 40}, [](CommandedDrive& drive) { drive.stretches[0].commands.resize(3); }),
            "the commands change 2 times, but a response shows only after changes: at least 8 are needed");
  EXPECT_EQ(why({.seconds = 40, .rate_hz = 2}, [](auto&) {}),
            "drive.csv: there is a pose every 0.5 s, but a response needs one every 0.25 s or more often");
}

TEST(EvaluateResponse, RefusesWhatTheModelIsNotFor) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 40})};
  const auto model = train_response(drives, quick());
  ASSERT_TRUE(model);
  const auto why = [&](const respond::DriveShape& shape) {
    const auto errors = evaluate_response(*model, std::vector{make_drive(shape)});
    return errors ? "taken" : errors.error().message;
  };
  EXPECT_EQ(why({.seconds = 30, .rate_hz = 10}),
            "drive.csv: there are 10 poses a second, but the model needs at least 15");
  EXPECT_EQ(why({.seconds = 30, .sideways = true}),
            "drive.csv: there are commands to drive sideways, but the model is of a robot that cannot");
  EXPECT_EQ(why({.seconds = 30, .rate_hz = 100}), "taken") << "poses that come faster are no harm";
  EXPECT_EQ(why({.seconds = 0.8}), "no stretch without a gap is long enough for a horizon of 1 s");
}

TEST(ResponseModel, ReadsBackWhatItWrote) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 30})};
  auto model = train_response(drives, quick());
  ASSERT_TRUE(model);
  model->robot = "ssl";
  model->fingerprint = 0x1234;
  const std::string text = write_model(*model);
  const auto back = parse_model(text, "model.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(write_model(*back), text);
  EXPECT_EQ(back->robot, "ssl");
  const auto a = evaluate_response(*model, drives), b = evaluate_response(*back, drives);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->at(2).of(Method::network).place, b->at(2).of(Method::network).place);
  EXPECT_EQ(a->at(2).of(Method::best).place, b->at(2).of(Method::best).place);
}

TEST(ResponseModel, RefusesWhatIsBroken) {
  const std::vector<CommandedDrive> drives{make_drive({.response = kTruth, .seconds = 30})};
  const std::string text = write_model(*train_response(drives, quick()));
  const auto why = [](const std::string& changed) {
    const auto model = parse_model(changed, "model.json");
    return model ? "taken" : model.error().message;
  };
  EXPECT_EQ(why(text), "taken");
  EXPECT_EQ(why("{}"), "model.json is no learned model: it must be JSON with \"forerun_response_model\"");
  EXPECT_EQ(why(text.substr(0, text.size() / 2)),
            "model.json is no learned model: it must be JSON with \"forerun_response_model\"");
  auto document = nlohmann::ordered_json::parse(text);
  document["forerun_response_model"] = 7;
  EXPECT_EQ(why(document.dump()), "model.json: forerun_response_model is \"7\", but this program reads version 1");
  document = nlohmann::ordered_json::parse(text);
  document["model"]["period_s"] = 0.04;
  EXPECT_NE(why(document.dump()).find("the model has been changed or is damaged"), std::string::npos);
}

TEST(TrainNetwork, LearnsWhatNoLineCan) {
  // x y, and whether it is far from the middle
  Samples samples{.n_inputs = 2, .n_outputs = 4};
  Random random(5, 0);
  for (int i = 0; i < 4000; ++i) {
    const double x = random.uniform(-2, 2), y = random.uniform(-2, 2);
    samples.inputs.insert(samples.inputs.end(), {x, y});
    samples.outputs.insert(samples.outputs.end(), {x * y, x * x + y * y, std::sin(2 * x), 1});
  }
  const respond::Network network = train_network(samples, {.hidden = 20, .epochs = 60});
  const respond::LinearModel linear = train_linear(samples, 1e-6);
  double by_network = 0, by_line = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::span<const double> inputs(&samples.inputs[2 * i], 2);
    const Pose2 a = network.predict(inputs), b = linear.predict(inputs);
    by_network += square(a.x - samples.outputs[4 * i]) + square(a.y - samples.outputs[4 * i + 1]);
    by_line += square(b.x - samples.outputs[4 * i]) + square(b.y - samples.outputs[4 * i + 1]);
  }
  EXPECT_LT(by_network, by_line / 20);
}

TEST(TrainLinear, FindsALine) {
  Samples samples{.n_inputs = 3, .n_outputs = 4};
  Random random(6, 0);
  for (int i = 0; i < 500; ++i) {
    const double x = random.normal(), y = 100 * random.normal();
    samples.inputs.insert(samples.inputs.end(), {x, y, 7});
    samples.outputs.insert(samples.outputs.end(), {2 * x - 0.03 * y + 1, y, 0, 1});
  }
  const respond::LinearModel linear = train_linear(samples, 1e-9);
  const double inputs[3] = {0.5, -20, 7};
  EXPECT_NEAR(linear.predict(inputs).x, 2.6, 1e-5);
  EXPECT_NEAR(linear.predict(inputs).y, -20, 1e-3);
  EXPECT_NEAR(linear.predict(inputs).theta, 0, 1e-9);
}

}  // namespace
}  // namespace forerun::learn
