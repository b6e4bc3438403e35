import AudioGraph
import FrameObservers
import Metering

/// The reports of users that begin and end to speak, while there are any.
///
///     user ▶ (BEFORE MIXING) ─▶
///                   └▶ meter with voice activity
///
/// Thread: control, under the pipeline's lock.
final class SpeechState: PipelineFeature {
  private struct AttachedMeter {
    let id: NodeID
    let upstream: NodeID
    let levels: LevelReader
    var segmenter: SpeechSegmenter
  }

  private let core: PipelineCore
  private let users: UsersState
  /// Longest pause within speech; nil while speech is not reported.
  private var pause: Duration?
  private var meters: [UserKey: AttachedMeter] = [:]
  /// First tick with levels that have not been processed.
  private var nextTick = 0
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }

  /// Begins other reports, or none (nil). Within an edit.
  func replace(pause: Duration?) throws {
    for key in meters.keys { try remove(key) }
    self.pause = pause
    nextTick = core.tickCount
    activity.set(pause != nil)
  }

  /// Connects a meter to every user that is heard.
  func reconcile(graph: Graph) throws {
    guard let pause else { return }
    for (key, meter) in meters where users.remote[key]?.downlink?.anchor != meter.upstream { try remove(key) }
    for key in users.order where meters[key] == nil {
      guard let user = users.remote[key], let downlink = user.downlink else { continue }
      let node = LevelMeterNode(
        channelCount: user.channelCount, sampleRate: graph.sampleRate, detectsVoice: true)
      let id = try graph.add(node, named: "speech of \(user.name)")
      try graph.connect(downlink.anchor, to: id)
      meters[key] = AttachedMeter(
        id: id, upstream: downlink.anchor, levels: node.levels, segmenter: SpeechSegmenter(pause: pause))
    }
  }

  /// Reports every completed tick.
  func collect() {
    guard pause != nil else { return }
    while nextTick < core.tickCount {
      for key in users.order {
        guard let level = meters[key]?.levels.level(atTick: nextTick),
          let change = meters[key]!.segmenter.take(isVoice: level.isVoice)
        else { continue }
        post(change, of: key)
      }
      nextTick += 1
    }
  }

  /// Removes the meter of a user that is not heard any more: its speech ends.
  private func remove(_ key: UserKey) throws {
    guard let meter = meters.removeValue(forKey: key) else { return }
    try core.graph.remove(meter.id)
    if meter.segmenter.isSpeech { post(.ended, of: key) }
  }

  private func post(_ change: SpeechSegmenter.Change, of key: UserKey) {
    let speaker = SpeakerID(uid: key.uid, channelID: key.channelID)
    let kind: PipelineEvent.Kind = change == .began ? .speechBegan(speaker) : .speechEnded(speaker)
    core.events.post(PipelineEvent(kind, tickCount: min(nextTick + 1, core.tickCount)))
  }
}
