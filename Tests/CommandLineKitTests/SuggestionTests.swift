import CommandTestSupport
import Platform
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

@Suite("Suggestion", .timeLimit(.minutes(10)))
struct SuggestionTests {
  @Test(
    "The distance counts inserted, deleted, replaced and swapped letters",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("gain", "gain", 0), ("gian", "gain", 1),
      ("gin", "gain", 1),
      ("gaain", "gain", 1), ("goin", "gain", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func distance(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(Array(left), Array(right)) == expected)
    #expect(Suggestion.distance(Array(right), Array(left)) == expected)
  }

  @Test(
    "the nearest word or the only word with the same beginning is suggested", .shows("did you mean"),
    arguments: [
      ("gian", "gain"), ("outptu", "output"), ("play", "playback-volume"), ("over", "overwrite"),
      ("rec", "record-volume"),
      ("xyzzy", nil), ("15", nil), ("", nil), ("o", nil), ("out", nil),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    let candidates = ["10", "gain", "output", "out-dir", "overwrite", "playback-volume", "record-volume"]
    #expect(Suggestion.nearest(to: word, among: candidates) == expected)
  }
}
