import AudioGraph
import FrameObservers
import Metering

/// The volume indication of a pipeline: meters that come and go with the paths to which they are attached, and the
/// state machine that receives their levels.
///
///     local source ▶ record gain ▶ [voice only] ─▶ ... ▶ (RECORD) ─▶        user ▶ (BEFORE MIXING) ─▶
///                                        └▶ meter           └▶ meter                        └▶ meter
///
/// Thread: control, under the pipeline's lock.
struct VolumeMeters {
  /// Place of a measurement.
  enum Place: Hashable {
    /// The local voice after its gain and the noise suppression, without music.
    case localVoice
    /// All sound that the local user sends.
    case localSent
    /// A remote user, before it is mixed.
    case remote(UserKey)
  }

  /// A path with a place to measure at.
  struct Path {
    let place: Place
    let node: NodeID
    let channelCount: Int
    let name: String
  }

  private struct AttachedMeter {
    let id: NodeID
    let upstream: NodeID
    let levels: LevelReader
  }

  var indicator: VolumeIndicator
  /// First tick with levels that have not been processed.
  private(set) var nextTick: Int
  private var meters: [Place: AttachedMeter] = [:]
  private var departing: [(place: Place, meter: RetiredMeter<LevelReader>)] = []

  init(_ indicator: VolumeIndicator, startTick: Int) {
    self.indicator = indicator
    nextTick = startTick
  }

  /// Connects the meters to the existing paths.
  mutating func reconcile(_ paths: [Path], detectsVoice: Bool, graph: Graph) throws {
    let wanted = Dictionary(uniqueKeysWithValues: paths.map { ($0.place, $0) })
    for (place, meter) in meters where wanted[place]?.node != meter.upstream {
      try graph.remove(meter.id)
      meters[place] = nil
      departing.append((place, RetiredMeter(meter.levels, tick: nextTick)))
    }
    for path in paths where meters[path.place] == nil {
      var isVoice = false
      if case .localVoice = path.place { isVoice = detectsVoice }
      let node = LevelMeterNode(
        channelCount: path.channelCount, sampleRate: graph.sampleRate, detectsVoice: isVoice)
      let id = try graph.add(node, named: "meter \(path.name)")
      try graph.connect(path.node, to: id)
      meters[path.place] = AttachedMeter(id: id, upstream: path.node, levels: node.levels)
    }
  }

  /// Removes every meter from the graph.
  mutating func removeAll(from graph: Graph) throws { try reconcile([], detectsVoice: false, graph: graph) }

  /// Advances by one completed tick.
  ///
  /// - Parameters:
  ///   - hasLocalUser: Whether there is a local user.
  ///   - remotes: The remote users.
  ///   - isMuted: Returns whether a remote user has muted itself; its remaining sound is not counted.
  ///   - voicePitch: Returns the pitch of the local voice, in Hz.
  /// - Returns: The events at the end of the tick.
  mutating func advance(
    hasLocalUser: Bool, remotes: [UserKey], isMuted: (UserKey) -> Bool, voicePitch: () -> Double
  ) -> [VolumeEvent] {
    let tick = nextTick
    nextTick += 1
    let late = lateLevels(tick)
    func level(_ place: Place) -> FrameLevel? { late[place] ?? meters[place]?.levels.level(atTick: tick) }
    var local: VolumeIndicator.LocalLevels?
    if let voice = level(.localVoice), let sent = level(.localSent) {
      local = .init(voice: voice, sent: sent)
    }
    let levels = remotes.map { key in
      VolumeIndicator.RemoteLevel(
        id: SpeakerID(uid: key.uid, channelID: key.channelID), level: isMuted(key) ? nil : level(.remote(key)))
    }
    return indicator.advance(
      tick: tick, local: local, hasLocalUser: hasLocalUser, remotes: levels, voicePitch: voicePitch)
  }

  /// Returns the levels of meters that have left the graph.
  private mutating func lateLevels(_ tick: Int) -> [Place: FrameLevel] {
    var late: [Place: FrameLevel] = [:]
    for index in departing.indices {
      if let level = departing[index].meter.value(atTick: tick, { $0.level(atTick: tick) }) {
        late[departing[index].place] = level
      }
    }
    departing.removeAll { $0.meter.isGone }
    return late
  }
}
