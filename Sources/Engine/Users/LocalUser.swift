import AudioGraph
import Effects
import FrameObservers

/// The listener's own voice: its uplink, its part in MIXED, and what it hears of itself.
///
///     source ▶ uplink ▶ (RECORD) ─┬▶ mixed mixer
///                                 └▶ ear gain ▶ limiter ▶ (EAR MONITORING)
struct LocalUser {
  /// What the local user hears of itself.
  struct EarMonitor {
    let gain: GainNode
    let limiter: LimiterNode
    let place: FrameOrigin
    let nodes: [NodeID]
  }

  let source: any AudioSource
  let sourceNode: NodeID
  /// Channels of what is sent.
  let sentChannelCount: Int

  // What was asked for; it outlives a mute.
  var volume: Volume
  /// Nil until a pitch is set.
  var pitch: VoicePitch?
  var isVoiceOnly = false
  var isMuted = false
  var isCaptured = true
  /// Nil while ear monitoring is off.
  var earVolume: Volume?

  // What stands in the graph.
  var uplink: Uplink?
  var mapNode: NodeID?
  var ear: EarMonitor?
  /// Takes the source's frames while nothing is sent.
  var idleSink: NodeID?
  /// While nothing is sent: the mixer of what would go with the voice, which is then heard here alone, and what follows
  /// it.
  var unsent: [NodeID] = []
}
