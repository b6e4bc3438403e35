public import AudioGraph
import FrameObservers
package import Metering
import Synchronization

extension AudioPipeline {
  /// Reports volumes and the most active speaker at an interval: `volumes` and `activeSpeaker` events. Off at first.
  ///
  /// Each interval has two reports. The first is of the local user, while it sends, measured behind its record gain and
  /// the voice-only mode. The second is of the loudest remote users, measured before mixing. Another call restarts the
  /// indication.
  ///
  /// - Parameters:
  ///   - interval: Time from report to report in whole milliseconds, at least 10, over 200 advised; nil turns it off.
  ///   - smooth: 0 (slowest) to 10 (not at all); 3 is advised. See `VolumeIndicationSettings`.
  ///   - reportsVoiceActivity: Whether the local user's reports say if it speaks.
  ///   - maximumSpeakerCount: Largest number of remote users in a report; `.max` for all.
  /// - Throws: `.invalidArgument` if a value is out of its range; the previous settings then stay.
  public func setVolumeReports(
    every interval: Duration?, smooth: Int = 3, reportsVoiceActivity: Bool = false, maximumSpeakerCount: Int = 3
  ) throws(EngineError) {
    try edit("the volume indication cannot be set") {
      let settings = try interval.map {
        try VolumeIndicationSettings(
          intervalMilliseconds: $0.wholeMilliseconds, smooth: smooth, reportsVoiceActivity: reportsVoiceActivity,
          maximumSpeakerCount: maximumSpeakerCount)
      }
      try volume.replace(with: settings)
    }
  }

  /// Sets the source of the local voice's pitch in the reports: a closure that returns the newest pitch in Hz, 0 while
  /// there is none. Without a source the pitch is always 0.
  ///
  /// The closure is called for each local report, by the thread that delivers events or by one that edits. It must be
  /// fast and must not call the pipeline.
  public func setVoicePitchSource(_ newestHertz: (@Sendable () -> Double)?) {
    lock.withLock { _ in volume.pitchSource = newestHertz }
  }

  /// Attaches a meter beside one user, before it is mixed; it detects voice. That user must then stay as it is: muting
  /// it would leave the meter without its input.
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

  /// Removes everything behind BEFORE MIXING from the graph, unless something uses it. Before the first tick; nothing
  /// can be added behind it then.
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
