public import AudioGraph
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Reports the pitch of the local voice at an interval, as `localVoicePitch` events. Off at first.
  ///
  /// There are reports while the voice is captured, also while it is muted: not while local audio is disabled. 0 Hz is
  /// no voice. Volume reports have the same pitch. The voice is measured behind its gain and the voice-only mode
  /// (before both while it is muted), without music, and as it is spoken: before `setLocalVoicePitch` changes it.
  ///
  /// - Parameters:
  ///   - interval: milliseconds from report to report, rounded up to whole frames of 10 ms; 0 and less turns it off.
  ///   - makeMeter: what measures; see `VoicePitchMeter`. Called whenever the voice comes.
  /// - Throws: `.invalidArgument` with what the meter says of the voice's format.
  public func enableLocalVoicePitchCallback(
    interval: Int, meter makeMeter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) throws(EngineError) {
    guard interval > 0 else { return try disableLocalVoicePitchCallback() }
    try replaceVoicePitch {
      VoicePitchReports(interval: interval, startTick: self.runner.tickCount, makeMeter: makeMeter)
    }
  }

  /// Ends what `enableLocalVoicePitchCallback` began.
  public func disableLocalVoicePitchCallback() throws(EngineError) { try replaceVoicePitch { nil } }

  private func replaceVoicePitch(call: String = #function, _ makeReports: () -> VoicePitchReports?) throws(EngineError)
  {
    try edit("the voice's pitch cannot be reported", call: call) {
      if let hanging = voicePitch?.hanging { try graph.remove(hanging.id) }
      voicePitch = makeReports()
      isVoicePitchReported.store(voicePitch != nil, ordering: .releasing)
    }
  }

  /// Hangs the meter beside the voice that there is. Within an edit.
  func reconcileVoicePitch() throws {
    guard let reports = voicePitch else { return }
    let captured = isAudioEnabled && localUser?.isCaptured == true ? localUser?.sourceNode : nil
    let upstream = localUser?.uplink?.measured ?? captured
    guard reports.hanging?.upstream != upstream else { return }
    if let hanging = reports.hanging {
      try graph.remove(hanging.id)
      voicePitch!.letGo(of: hanging.meter)
      voicePitch!.hanging = nil
    }
    guard let upstream, let user = localUser else { return }
    let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: user.source.channelCount)
    let meter = try reports.makeMeter(format)
    let id = try graph.add(meter.node, named: "pitch meter \(runner.tickCount)")
    try graph.connect(upstream, to: id)
    voicePitch!.hanging = .init(meter: meter, id: id, upstream: upstream)
  }

  /// Looks at every tick that is over. Under the lock.
  func collectVoicePitch() {
    guard voicePitch != nil else { return }
    while voicePitch!.nextTick < runner.tickCount {
      guard let hertz = voicePitch!.advance() else { continue }
      events.post(PipelineEvent(.localVoicePitch(hertz: Double(hertz)), tickCount: voicePitch!.nextTick))
    }
  }
}
