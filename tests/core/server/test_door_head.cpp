// Heads that pass a door, and those that do not.
#include "check.hpp"
#include "server/door_head.hpp"

using namespace sdclattice;

namespace {

const std::string kLine = "POST /v1/requests HTTP/1.1\r\n";

RequestHead read_lines(const std::string& lines) {
  return read_request_head(kLine + lines + "\r\n");
}

int refusal_of(const std::string& lines) {
  return read_lines(lines).refusal;
}

bool is_found(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

// What the scan says when the bytes come in pieces of this length.
std::size_t end_in_pieces(const std::string& text, std::size_t piece) {
  HeadScan scan;
  for (std::size_t n = piece; n < text.size() + piece; n += piece) {
    const std::size_t end = scan.end_in(std::string_view(text).substr(0, n));
    if (end > 0) return end;
  }
  return 0;
}

bool is_broken(const std::string& text) {
  HeadScan scan;
  scan.end_in(text);
  return scan.is_broken();
}

}  // namespace

TEST(the_end_of_a_head_is_found_wherever_it_is_split) {
  const std::string head = kLine + "Host: a\r\nContent-Length: 2\r\n\r\n";
  for (std::size_t piece = 1; piece <= head.size() + 2; ++piece) {
    CHECK_EQ(end_in_pieces(head + "{}", piece), head.size());
  }
  CHECK_EQ(end_in_pieces(head.substr(0, head.size() - 1), 3), 0);
}

TEST(lines_end_by_both_bytes) {
  CHECK(!is_broken(kLine));
  CHECK(is_broken("POST\n"));
  CHECK(is_broken("\n"));
  CHECK(is_broken("a: b\rc"));
  CHECK(is_broken("a: b\r\r\n"));
  CHECK(is_broken(std::string("a: b\0c", 6)));
}

TEST(a_request_is_handed_on_without_what_is_the_doors_own) {
  const RequestHead head = read_lines(
      "Host: a\r\ncontent-LENGTH:  7 \r\nX-Door: s 1 -\r\nx-LEAVE: 0.001\r\nX-Other: 1\r\n"
      "Connection: keep-alive\r\nAccept-Encoding: gzip\r\nExpect: 100-continue\r\n");
  CHECK_EQ(head.refusal, 0);
  CHECK_EQ(head.body, 7u);
  CHECK(head.expects && !head.close);
  CHECK_EQ(head.passed, kLine + "Host: a\r\ncontent-LENGTH:  7 \r\nX-Other: 1\r\n");
  CHECK(read_lines("Content-Length: 0\r\nConnection: te, Close\r\n").close);
  CHECK_EQ(read_lines("Content-Length: 0\r\n").body, 0u);
  CHECK_EQ(read_lines("Content-Length: 016384\r\n").body, 16384u);
}

TEST(whatever_could_be_understood_differently_is_refused) {
  CHECK_EQ(refusal_of(""), 411);
  CHECK_EQ(refusal_of("Transfer-Encoding: chunked\r\n"), 411);
  CHECK_EQ(refusal_of("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"), 411);
  CHECK_EQ(refusal_of("Content-Length: 16385\r\n"), 413);
  CHECK_EQ(refusal_of("Content-Length: 99999999999999999999999\r\n"), 413);
  for (const char* length : {"", "-1", "+1", "0x1", "1 1", "1,1", "1.0", "2;"}) {
    CHECK_EQ(refusal_of(std::string("Content-Length: ") + length + "\r\n"), 400);
  }
  CHECK_EQ(refusal_of("Content-Length: 2\r\nContent-Length: 2\r\n"), 400);
  CHECK_EQ(refusal_of("Content-Length: 2\r\nA: b\r\n folded\r\n"), 400);
  CHECK_EQ(refusal_of("Content-Length: 2\r\n\tfolded: x\r\n"), 400);
  CHECK_EQ(refusal_of("Content-Length : 2\r\n"), 400);
  CHECK_EQ(refusal_of(": 2\r\nContent-Length: 2\r\n"), 400);
  CHECK_EQ(refusal_of("no colon\r\nContent-Length: 2\r\n"), 400);
  CHECK_EQ(refusal_of("A: b\x01\r\nContent-Length: 2\r\n"), 400);
  CHECK_EQ(refusal_of("A: \xe4\r\nContent-Length: 2\r\n"), 0);
}

TEST(only_one_line_begins_a_request) {
  const auto refusal = [](const std::string& line) {
    return read_request_head(line + "\r\nContent-Length: 2\r\n\r\n").refusal;
  };
  CHECK_EQ(refusal("POST /v1/requests HTTP/1.1"), 0);
  for (const char* line : {"GET /v1/requests HTTP/1.1", "DELETE /v1/requests HTTP/1.1",
                           "post /v1/requests HTTP/1.1", "GET / HTTP/1.0"}) {
    CHECK_EQ(refusal(line), 405);
  }
  for (const char* line : {"POST /v1/requests HTTP/1.0", "POST /v1/requests/ HTTP/1.1",
                           "POST /v1/requests?a=1 HTTP/1.1", "POST  /v1/requests HTTP/1.1",
                           "POST /v1/requests HTTP/1.1 ", " POST /v1/requests HTTP/1.1", "", "POST",
                           "GET", "POST http://a/v1/requests HTTP/1.1", "G(T / HTTP/1.1"}) {
    CHECK_EQ(refusal(line), 400);
  }
}

TEST(an_answer_says_when_it_leaves_and_the_client_does_not_hear_it) {
  const AnswerHead head = read_answer_head(
      "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nx-leave: 0.300000000\r\nConnection: close\r\n"
      "Keep-Alive: 5\r\nETag: x\r\n\r\n");
  CHECK(head.ok && head.close);
  CHECK_EQ(head.leave, .3);
  CHECK_EQ(head.body, 3u);
  CHECK_EQ(head.passed, "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nETag: x\r\n");
  CHECK(!is_found(head.passed, "eave"));
  CHECK(read_answer_head("HTTP/1.1 400\r\nContent-Length: 0\r\n\r\n").ok);
  for (const char* wrong :
       {"HTTP/1.1 201 Created\r\n\r\n", "HTTP/1.0 201 Created\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 2x1 Created\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 99999999\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nX-Leave: 0\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nX-Leave: -1\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nX-Leave: \r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nX-Leave: 1s\r\n\r\n", "\r\n"}) {
    CHECK(!read_answer_head(wrong).ok);
  }
}
