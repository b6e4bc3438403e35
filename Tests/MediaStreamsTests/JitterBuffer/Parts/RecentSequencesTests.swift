import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct RecentSequencesTests {
  @Test("the newest 16 numbers are known, and no other")
  func newest() {
    var recent = RecentSequences()
    var none = false
    for number in [Int.min + 1, -1, 0, 1] { none = none || recent.contains(number) }
    #expect(!none)
    for number in 1...100 {
      recent.insert(number * 3)
      let known = (-5...400).filter { recent.contains($0) }
      #expect(known == (max(1, number - 15)...number).map { $0 * 3 })
    }
    recent.reset()
    let isKnown = recent.contains(300)
    #expect(!isKnown)
  }
}
