public import AudioGraph
import FrameObservers
package import Metering
import Synchronization

extension AudioPipeline {
  /// Reports volumes at an interval, and who speaks most: `volumes` and `activeSpeaker` events. Off at first.
  ///
  /// Each interval there are two reports: of the local user, measured behind its record gain and the voice-only mode,
  /// while it sends; and of the (at most three) loudest remote users, measured before mixing. Calling it again begins
  /// anew.
  ///
  /// - Parameters:
  ///   - interval: milliseconds from report to report: 10 or more, over 200 advised; 0 and less turns it off.
  ///   - smooth: 0 (slowest) to 10 (not at all); 3 is advised. See `VolumeIndicationSettings`.
  ///   - reportVAD: whether the local user's reports say if it speaks.
  /// - Throws: `.invalidArgument` where a value is out of its range; what was set before then goes on.
  public func enableAudioVolumeIndication(interval: Int, smooth: Int = 3, reportVAD: Bool = false) throws(EngineError) {
    try edit("the volume indication cannot be set") {
      let settings =
        interval > 0
        ? try VolumeIndicationSettings(
          intervalMilliseconds: interval, smooth: smooth, reportsVoiceActivity: reportVAD) : nil
      try volume.replace(with: settings)
    }
  }

  /// Where the reports' pitch of the local voice comes from: a closure that gives the newest one in Hz, 0 while there
  /// is none. Without one it is always 0.
  ///
  /// The closure is called for each local report, by the thread that delivers events or by one that edits. It must be
  /// quick and not call the pipeline.
  public func setVoicePitchSource(_ newestHertz: (@Sendable () -> Double)?) {
    lock.withLock { _ in volume.pitchSource = newestHertz }
  }

  /// Hangs a meter beside one user, before it is mixed; it detects voice. That user must then stay as it is: a place
  /// that is muted away would leave the meter without its input.
  package func addMeter(beforeMixing uid: UInt32) throws(EngineError) -> LevelReader {
    try edit("user \(uid) cannot be measured") {
      guard let user = userStates.remote[userStates.key(uid)], let downlink = user.downlink else {
        throw EngineError(.invalidArgument, "user \(uid) is not heard here; add it first")
      }
      let meter = LevelMeterNode(
        channelCount: user.channelCount, sampleRate: core.graph.sampleRate, detectsVoice: true)
      try core.graph.connect(downlink.anchor, to: try core.graph.add(meter, named: "meter of \(user.name)"))
      return meter.levels
    }
  }

  /// Takes everything behind BEFORE MIXING out of the graph, unless somebody looks at it. Before the first tick;
  /// nothing can be added behind it then.
  package func leaveOutListener() throws(EngineError) {
    try edit("the listener cannot be left out") {
      guard core.hub.observedPositions.isSubset(of: .beforeMixing), sinks.isEmpty, recording.isEmpty,
        sounds.music.isEmpty, userStates.local == nil
      else { return }
      for key in userStates.order { try userStates.remote[key]!.downlink?.removeWay(from: core.graph) }
      try core.listener.remove(from: core.graph, hub: core.hub)
      core.run.isCostMeasured = !core.hub.observedPositions.isEmpty
    }
  }
}
