import Engine
import MediaStreams
import OpusCodec
import Platform

extension SimulatedCall {
  /// Runs the call. Thread: the caller's.
  ///
  /// - Parameters:
  ///   - beforeWriting: Called once all inputs have been opened and checked, before any output is made.
  ///   - progress: Called now and then with the seconds passed and the seconds in total.
  ///   - onEvent: Called for each event, in the order of time, one tick after the event.
  ///   - shouldStop: Polled every 10 ms of the call, and while an input pipe has no data; true ends the call with the
  ///     results so far. Thread: any.
  /// - Throws: `SimulationError`, `ScriptError`, `NetworkConditionsError`, `EngineError`, `AudioFileError`.
  public func run(
    beforeWriting: () throws -> Void = {}, progress: (Double, Double) -> Void = { _, _ in },
    onEvent: (SimulationEvent) -> Void = { _ in }, shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> CallResult {
    try validate()
    // All users and the relay run on this thread.
    ReachPoints.forget()
    var result: CallResult
    switch topology {
    case .direct:
      let run = try CallRun(self, beforeWriting: beforeWriting, isCancelled: shouldStop)
      result = try run.run(progress: progress, onEvent: onEvent, shouldStop: shouldStop)
    case .relay:
      let run = try ChannelRun(self, beforeWriting: beforeWriting, isCancelled: shouldStop)
      result = try run.run(progress: progress, onEvent: onEvent, shouldStop: shouldStop)
    }
    result.reachPoints = ReachPoints.reached
    return result
  }

  private func validate() throws {
    guard !users.isEmpty else { throw SimulationError.tooFewUsers }
    var seen: Set<UInt32> = []
    for user in users {
      guard user.uid > 0 else { throw SimulationError.reservedUID }
      guard seen.insert(user.uid).inserted else { throw SimulationError.sameUID(user.uid) }
    }
    if let durationSeconds, !(durationSeconds > 0 && durationSeconds <= 30 * 86_400) {
      throw SimulationError.duration(durationSeconds)
    }
    switch codec {
    case .opus(let options): try options.validate()
    case .pcmu, .pcma, .linear16: if topology == .relay { throw SimulationError.relayCodec }
    case .null: break
    }
  }
}
