import AudioGraph
import FrameObservers
import Metering

/// The volume indication of a pipeline, while it is on.
///
/// Thread: control, under the pipeline's lock.
final class VolumeState: PipelineFeature {
  private let core: PipelineCore
  private let users: UsersState
  private let pitch: VoicePitchState
  /// The meters; nil while volumes are not reported.
  private var meters: VolumeMeters?
  /// The program's own source of the local voice's pitch, in Hz; nil: `pitch`.
  var pitchSource: (@Sendable () -> Double)?
  private let activity = FeatureActivity()

  /// - Parameters:
  ///   - core: Parts that every feature uses.
  ///   - users: The users to measure.
  ///   - pitch: Collected before this feature, so that a volume report has the pitch of its tick.
  init(_ core: PipelineCore, users: UsersState, pitch: VoicePitchState) {
    self.core = core
    self.users = users
    self.pitch = pitch
  }

  var isActive: Bool { activity.isActive }

  /// Begins other reports, or none (nil). Within an edit.
  func replace(with settings: VolumeIndicationSettings?) throws {
    try meters?.removeAll(from: core.graph)
    let tick = core.tickCount
    meters = settings.map {
      VolumeMeters(VolumeIndicator($0, startTick: tick, channelID: core.options.channelID), startTick: tick)
    }
    activity.set(meters != nil)
  }

  /// Connects meters to the paths that there are.
  func reconcile(graph: Graph) throws {
    guard let settings = meters?.indicator.settings else { return }
    var paths: [VolumeMeters.Path] = []
    if let uplink = users.local?.uplink {
      paths.append(
        .init(place: .localVoice, node: uplink.measured, channelCount: uplink.voiceChannelCount, name: "local voice"))
      paths.append(
        .init(place: .localSent, node: uplink.anchor, channelCount: uplink.channelCount, name: "record local"))
    }
    for key in users.order {
      guard let user = users.remote[key], let downlink = user.downlink else { continue }
      paths.append(
        .init(
          place: .remote(key), node: downlink.anchor, channelCount: user.channelCount,
          name: "before mixing \(user.name)"))
    }
    try meters!.reconcile(paths, detectsVoice: settings.reportsVoiceActivity, graph: graph)
  }

  /// Reports the volumes of every interval that is over.
  func collect() {
    guard meters != nil else { return }
    while meters!.nextTick < core.tickCount {
      let tick = meters!.nextTick
      let happened = meters!.advance(
        hasLocalUser: users.local != nil, remotes: users.order,
        isMuted: { users.remote[$0]?.isMutedByItself == true },
        voicePitch: { pitchSource?() ?? pitch.hertz(atTick: tick) ?? 0 })
      for event in happened {
        let kind: PipelineEvent.Kind =
          switch event {
          case .volumes(let report): .volumes(report)
          case .activeSpeaker(let id): .activeSpeaker(id)
          }
        core.events.post(PipelineEvent(kind, tickCount: meters!.nextTick))
      }
    }
  }
}
