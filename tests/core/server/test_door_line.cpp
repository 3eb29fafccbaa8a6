// One connection of a door, step by step: the test is the client, and R.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "door_hall.hpp"
#include "server/door_line.hpp"

using namespace sdclattice;
using namespace door_hall;

namespace {

// Everything is tried at each step, as if all were ready.
struct Scene {
  Hall hall;
  DoorRules rules;
  int r_listener, door_listener, client, r = kNoSocket;
  std::unique_ptr<DoorLine> line;
  std::string heard, asked;

  Scene() {
    const DoorAddress r_at = hall.at("r"), door_at = hall.at("door");
    rules = rules_to(r_at);
    r_listener = listen_at(r_at);
    door_listener = listen_at(door_at);
    client = connect_to(door_at);
    int taken = kNoSocket;
    while ((taken = accept_at(door_listener)) == kSocketLater) pause_a_little();
    line = std::make_unique<DoorLine>(taken, rules);
  }
  ~Scene() {
    line.reset();
    for (int* one : {&r_listener, &door_listener, &client, &r}) close_socket(*one);
  }
  void say(const std::string& text) {
    std::size_t at = 0;
    send_some(client, text, at);
    step();
  }
  void step() {
    if (!line->is_over()) line->step({true, false}, {true, false});
    if (r < 0) r = std::max(kNoSocket, accept_at(r_listener));
    if (r >= 0 && receive_some(r, asked, 100000) == Flow::ended) close_socket(r);
    receive_some(client, heard, 100000);
  }
  void answer(const std::string& text) {
    std::size_t at = 0;
    send_some(r, text, at);
    step();
  }
  // Until a whole answer has come.
  std::string wait() {
    for (int i = 0; i < 4000; ++i) {
      const std::string out = take_message(heard);
      if (!out.empty()) return out;
      pause_a_little();
      step();
    }
    return "";
  }
};

// What R was told of the arrival.
double arrival_in(const std::string& asked) {
  const std::string before = "X-Door: secret ";
  const std::size_t at = asked.find(before);
  return at == std::string::npos ? -1 : std::stod(asked.substr(at + before.size()));
}

}  // namespace

TEST(an_answer_leaves_at_the_end_of_its_slot_and_not_before) {
  for (const bool late : {false, true}) {
    Scene scene;
    const double before = steady_seconds();
    scene.say(request_of("{}"));
    const double arrival = arrival_in(scene.asked);
    CHECK(arrival >= before && arrival <= steady_seconds());
    CHECK_EQ(body_of(scene.asked), "{}");
    CHECK(is_found(scene.asked, " -\r\n\r\n"));
    CHECK(scene.line->is_busy());
    while (late && steady_seconds() < arrival + .06) pause_a_little();
    scene.answer(answer_of("yes", "X-Leave: 0.05\r\n"));
    CHECK_EQ(scene.heard, "");
    CHECK_EQ(scene.wait(), answer_of("yes"));
    CHECK(steady_seconds() >= arrival + (late ? .1 : .05) - 1e-6);
    CHECK(!scene.line->is_busy() && !scene.line->is_over());
  }
}

TEST(what_was_not_judged_leaves_at_once) {
  Scene scene;
  scene.say(request_of("{}"));
  scene.answer(answer_of("no"));
  CHECK_EQ(take_message(scene.heard), answer_of("no"));
}

TEST(requests_are_understood_wherever_they_are_split) {
  const std::string text = request_of("{\"a\":\"b\"}", "X-Door: secret 1 -\r\nX-Leave: 1\r\n");
  Scene scene;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    scene.asked.clear();
    scene.say(text.substr(0, cut));
    if (cut < text.size()) CHECK_EQ(scene.asked, "");
    if (cut < text.size()) scene.say(text.substr(cut));
    const std::string asked = take_message(scene.asked);
    CHECK_EQ(body_of(asked), "{\"a\":\"b\"}");
    CHECK(arrival_in(asked) > 1.5 && !is_found(asked, "X-Leave") && !is_found(asked, "secret 1 "));
    scene.answer(answer_of("yes"));
    CHECK_EQ(take_message(scene.heard), answer_of("yes"));
  }
  for (const char byte : text) scene.say(std::string(1, byte));
  scene.answer(answer_of("yes"));
  CHECK_EQ(scene.wait(), answer_of("yes"));
}

TEST(answers_are_understood_wherever_they_are_split) {
  const std::string text = answer_of("yes, it is");
  Scene scene;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    scene.say(request_of("{}"));
    scene.answer(text.substr(0, cut));
    if (cut < text.size()) CHECK_EQ(scene.heard, "");
    scene.answer(text.substr(cut));
    CHECK_EQ(take_message(scene.heard), text);
  }
}

TEST(a_request_behind_another_one_waits_for_its_own_slot) {
  Scene scene;
  scene.say(request_of("one") + request_of("two"));
  const double first = arrival_in(scene.asked);
  CHECK_EQ(body_of(take_message(scene.asked)), "one");
  CHECK_EQ(scene.asked, "");
  scene.answer(answer_of("1", "X-Leave: 0.05\r\n"));
  CHECK_EQ(body_of(scene.wait()), "1");
  scene.step();
  const double second = arrival_in(scene.asked);
  CHECK(second >= first + .05);
  CHECK_EQ(body_of(take_message(scene.asked)), "two");
  scene.answer(answer_of("2", "X-Leave: 0.05\r\n"));
  CHECK_EQ(body_of(scene.wait()), "2");
  CHECK(steady_seconds() >= second + .05);
}

TEST(whoever_is_refused_hears_why_and_the_connection_ends) {
  const std::string line = "POST /v1/requests HTTP/1.1\r\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"GET /v1/requests HTTP/1.1\r\n\r\n", "405"},
      {"nonsense\n", "400"},
      {line + "\r\n", "411"},
      {line + "Content-Length: 20000\r\n\r\n", "413"},
      {line + std::string(9000, 'a'), "431"}};
  for (const auto& one : cases) {
    Scene scene;
    scene.say(one.first);
    CHECK_EQ(scene.wait().substr(9, 3), one.second);
    CHECK_EQ(scene.asked, "");
    close_socket(scene.client);
    scene.step();
    CHECK(scene.line->is_over());
  }
}

TEST(whoever_waits_for_it_is_told_to_go_on) {
  Scene scene;
  const std::string text = request_of("{}", "Expect: 100-continue\r\n");
  scene.say(text.substr(0, text.size() - 2));
  CHECK_EQ(scene.heard, "HTTP/1.1 100 Continue\r\n\r\n");
  scene.heard.clear();
  scene.say("{}");
  scene.answer(answer_of("yes"));
  CHECK_EQ(scene.wait(), answer_of("yes"));
}

TEST(who_asks_for_it_or_comes_to_one_that_leaves_is_told_that_it_ends) {
  for (const bool leaves : {false, true}) {
    Scene scene;
    if (leaves) scene.line->leave();
    scene.say(request_of("{}", leaves ? "" : "Connection: close\r\n"));
    scene.answer(answer_of("yes"));
    CHECK(is_found(scene.wait(), "Connection: close\r\n"));
  }
}

TEST(when_r_breaks_it_is_said_at_the_end_of_the_slot) {
  for (const std::string& broken :
       {std::string("HTTP/1.1 201 Created\n"), answer_of("yes") + "more", std::string("\r\n\r\n"),
        answer_of("yes", "X-Leave: never\r\n"), std::string(40000, 'a'), std::string()}) {
    Scene scene;
    scene.say(request_of("{}"));
    const double arrival = arrival_in(scene.asked);
    if (broken.empty()) close_socket(scene.r);
    scene.answer(broken);
    CHECK_EQ(scene.wait().substr(9, 3), "503");
    CHECK(steady_seconds() >= arrival + .05);
  }
  // nobody is there
  Scene scene;
  close_socket(scene.r_listener);
  scene.say(request_of("{}"));
  CHECK_EQ(scene.wait().substr(9, 3), "503");
}

TEST(a_connection_to_r_that_has_ended_is_made_anew) {
  Scene scene;
  for (int i = 0; i < 3; ++i) {
    scene.say(request_of("{}"));
    CHECK(scene.r >= 0);
    scene.answer(answer_of("yes"));
    CHECK_EQ(scene.wait(), answer_of("yes"));
    close_socket(scene.r);
  }
}

TEST(nobody_is_waited_for_without_end) {
  Scene scene;
  scene.rules.patience = scene.rules.answer_within = .01;
  scene.say("POST /v1");
  for (int i = 0; i < 100 && !scene.line->is_over(); ++i) {
    pause_a_little();
    scene.step();
  }
  CHECK(scene.line->is_over());
  Scene slow;
  slow.rules.answer_within = .01;
  slow.say(request_of("{}"));
  CHECK_EQ(slow.wait().substr(9, 3), "503");
}
