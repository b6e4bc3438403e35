import TestSupport
import Testing

@testable import SRTP

@Suite(.timeLimit(.minutes(10))) struct IndexWindowTests {
  @Test("the window agrees with a set of all indices", arguments: [64, 128, 1_000, 1_024, 32_767])
  func agrees(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var window = IndexWindow(count: count)
    var used: Set<UInt64> = []
    var highest: UInt64?
    var next: UInt64 = 1_000_000
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0: next += UInt64.random(in: 0...UInt64(3 * count), using: &random)
      default: next += 1
      }
      let back = Bool.random(using: &random) ? 0 : UInt64.random(in: 0...UInt64(2 * count), using: &random)
      let index = next - back
      let expected: IndexWindow.Position =
        if let highest, index <= highest, highest - index >= UInt64(count) { .old } else if used.contains(index) {
          .used
        } else {
          .new
        }
      guard window.position(of: index) == expected else {
        Issue.record("index \(index) is \(window.position(of: index)), not \(expected); highest \(highest ?? 0)")
        return
      }
      guard expected == .new else { continue }
      window.insert(index)
      used.insert(index)
      highest = max(highest ?? 0, index)
    }
  }
}
