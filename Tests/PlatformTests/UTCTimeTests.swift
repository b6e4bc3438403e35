import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct UTCTimeTests {
  // Source: RFC 3339's form; the seconds are those of `date -u -d TEXT +%s`.
  @Test(
    "a moment is written as RFC 3339 with nine digits",
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (951_827_696_000_000_001, "2000-02-29T12:34:56.000000001Z"),
      (4_102_444_799_999_999_999, "2099-12-31T23:59:59.999999999Z"),
    ])
  func text(nanoseconds: Int, text: String) {
    #expect("\(UTCTime(nanosecondsSince1970: nanoseconds))" == text)
  }

  @Test("the seconds of a day begin at midnight, also before 1970")
  func day() {
    #expect(UTCTime(nanosecondsSince1970: 86_405_000_000_000).secondOfDay == 5)
    #expect(UTCTime(nanosecondsSince1970: -1).secondOfDay == 86_399)
  }

  @Test("seconds far beyond 2262 have a text")
  func far() {
    #expect(UTCTime(secondsSince1970: 253_402_300_799).secondText == "9999-12-31T23:59:59Z")
  }

  @Test("a moment advances forth and back", arguments: [0, 1, 999_999_999, -1, -1_500_000_000, 5_000_000_000])
  func advanced(by nanoseconds: Int) {
    for start in [0, 951_827_696_500_000_000, -7] {
      let moment = UTCTime(nanosecondsSince1970: start).advanced(byNanoseconds: nanoseconds)
      #expect(moment == UTCTime(nanosecondsSince1970: start + nanoseconds))
      #expect(moment - UTCTime(nanosecondsSince1970: start) == .nanoseconds(nanoseconds))
    }
  }
}
