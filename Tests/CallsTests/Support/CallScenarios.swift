@testable import Calls

/// Courses of calls between user 5, whose machine it is, and user 7. Completion 1 is that of the preparation.
enum CallScenarios {
  static let all = outgoing + incoming + both + faults

  static let callLines = [
    "0 state calling 31", "0 event 141", "0 send call to 7", "0 event 99", "0 complete 2 ok",
  ]

  static let ringLines = ["0 state calling 33", "0 event 143", "0 preload r7"]

  static let acceptLines = [
    "0 send accept to 7", "0 state connecting 8", "0 event 104", "0 event 10", "0 join r7 open",
    "0 complete 2 ok", "0 event 5", "0 event 111", "0 event 107",
  ]

  static let refusal = ChannelError(.invalidToken, "no")
}
