import AudioGraph
import FrameObservers
import Metering

/// What the volume indication of a pipeline consists of: meters that come and go with the paths beside which they
/// hang, and the state machine that their levels go to.
///
///     local source ▶ record gain ▶ [voice only] ─▶ ... ▶ (RECORD) ─▶        user ▶ (BEFORE MIXING) ─▶
///                                        └▶ meter           └▶ meter                        └▶ meter
///
/// Thread: control, under the pipeline's lock.
struct VolumeMeters {
  /// What is measured.
  enum Place: Hashable {
    /// The local voice after its gain and what takes noise away, without music.
    case localVoice
    /// All that the local user sends.
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
  /// The first tick whose levels have not been looked at.
  private(set) var nextTick: Int
  private var meters: [Place: AttachedMeter] = [:]
  private var departing: [(place: Place, meter: RetiredMeter<LevelReader>)] = []

  init(_ indicator: VolumeIndicator, startTick: Int) {
    self.indicator = indicator
    nextTick = startTick
  }

  /// Brings the meters to the paths that there are.
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

  /// Takes every meter out of the graph.
  mutating func removeAll(from graph: Graph) throws { try reconcile([], detectsVoice: false, graph: graph) }

  /// Goes on by one tick that is over. Returns: what happened at its end.
  ///
  /// - Parameter isMuted: whether a remote user has muted itself; what still comes of it says nothing.
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

  /// What meters gave that have left the graph.
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
