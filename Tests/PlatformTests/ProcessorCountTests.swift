import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ProcessorCountTests {
  @Test(
    "the quota of a container is rounded up to processors",
    arguments: [("200000 100000\n", 2), ("150000 100000\n", 2), ("5000 100000\n", 1), ("100001 100000", 2)])
  func quota(line: String, expected: Int) {
    #expect(ProcessorCount.quota(of: line) == expected)
  }

  @Test(
    "a line without a quota gives none", arguments: ["max 100000\n", "", "0 100000", "100000", "100000 0", "a b c"])
  func none(line: String) {
    #expect(ProcessorCount.quota(of: line) == nil)
  }

  @Test("at least one processor is available")
  func available() {
    #expect(ProcessorCount.available >= 1)
  }
}
