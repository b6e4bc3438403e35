import Engine
public import Signalling

extension RtcConnection {
  /// Returns the reasons why a user, or any user, is not heard: those of this engine, and those that the relay knows.
  ///
  /// - Throws: `.notReady` if the relay is lost before its answer, or the relay's refusal.
  public func diagnose(_ uid: UInt32? = nil) async throws(ChannelError) -> [DiagnosisFinding] {
    if loop.isStopped { throw .destroyed }
    let state = state
    guard state == .connected else {
      let reason = failure.map { ": \($0.message)" } ?? "; join it, or wait for its join"
      return [
        DiagnosisFinding(
          uid: uid ?? 0, cause: .notJoined, sentence: "the channel '\(channel)' is not joined (\(state))\(reason)")
      ]
    }
    let own = ownFindings(uid)
    let remote = try await askRelay(uid)
    guard uid != nil || !users.isEmpty else {
      return own + [
        DiagnosisFinding(
          uid: 0, cause: .nobody, sentence: "no other user is in the channel '\(channel)'; wait for one")
      ]
    }
    // The relay only knows that the cause is here.
    return own
      + remote.filter { finding in
        finding.cause != .packetsFlow || !own.contains { $0.uid == 0 || $0.uid == finding.uid }
      }
  }

  /// Returns the reasons in the pipeline.
  private func ownFindings(_ uid: UInt32?) -> [DiagnosisFinding] {
    guard let pipeline else { return [] }
    var findings: [DiagnosisFinding] = []
    if !pipeline.isRunning {
      findings.append(
        DiagnosisFinding(uid: 0, cause: .notRunning, sentence: "nothing drives the pipeline; start it"))
    }
    if pipeline.isPlaybackSilent {
      findings.append(
        DiagnosisFinding(uid: 0, cause: .noVolume, sentence: "the playback volume is 0; raise it"))
    }
    for user in uid.map({ [$0] }) ?? users.map(\.uid) where pipeline.isSilent(user, in: channel) {
      findings.append(
        DiagnosisFinding(uid: user, cause: .noVolume, sentence: "the volume of user \(user) is 0; raise it"))
    }
    return findings
  }

  private func askRelay(_ uid: UInt32?) async throws(ChannelError) -> [DiagnosisFinding] {
    try await waitForResult { done throws(ChannelError) in
      guard request(uid, done) else {
        throw ChannelError(.notReady, "the relay was lost before its answer; request it again")
      }
    }
  }
}
