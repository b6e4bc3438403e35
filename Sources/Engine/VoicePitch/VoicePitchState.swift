import AudioGraph

/// The reports of the local voice's pitch, while there are any.
///
/// Thread: control, under the pipeline's lock.
final class VoicePitchState: PipelineFeature {
  private let core: PipelineCore
  private let users: UsersState
  /// The reports; nil while the pitch is not reported.
  private var reports: VoicePitchReports?
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }

  /// Begins other reports, or none. Within an edit.
  func replace(with makeReports: (_ startTick: Int) -> VoicePitchReports?) throws {
    if let hanging = reports?.hanging { try core.graph.remove(hanging.id) }
    reports = makeReports(core.tickCount)
    activity.set(reports != nil)
  }

  /// Returns the pitch in a processed tick, in Hz; nil while no pitch is reported.
  func hertz(atTick tick: Int) -> Double? { reports?.hertz(atTick: tick) }

  /// Connects the meter to the present voice.
  func reconcile(graph: Graph) throws {
    guard let reports else { return }
    let user = users.local
    let captured = users.isAudioEnabled && user?.isCaptured == true ? user?.sourceNode : nil
    let upstream = user?.uplink?.measured ?? captured
    guard reports.hanging?.upstream != upstream else { return }
    if let hanging = reports.hanging {
      try graph.remove(hanging.id)
      self.reports!.letGo(of: hanging.meter)
      self.reports!.hanging = nil
    }
    guard let upstream, let user else { return }
    let format = try AudioFormat(sampleRate: graph.sampleRate, channelCount: user.source.channelCount)
    let meter = try reports.makeMeter(format)
    let id = try graph.add(meter.node, named: "pitch meter \(core.tickCount)")
    try graph.connect(upstream, to: id)
    self.reports!.hanging = .init(meter: meter, id: id, upstream: upstream)
  }

  /// Reports the pitch of every interval that is over.
  func collect() {
    guard reports != nil else { return }
    while reports!.nextTick < core.tickCount {
      guard let hertz = reports!.advance() else { continue }
      core.events.post(PipelineEvent(.localVoicePitch(hertz: Double(hertz)), tickCount: reports!.nextTick))
    }
  }
}
