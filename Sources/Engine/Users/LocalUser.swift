import AudioGraph
import Effects
import FrameObservers

/// The listener's own voice: its uplink, its part in MIXED, and the sound that it hears of itself.
///
///     source ▶ uplink ▶ (RECORD) ─┬▶ mixed mixer
///                                 └▶ ear gain ▶ limiter ▶ (EAR MONITORING)
struct LocalUser {
  /// The sound that the local user hears of itself.
  struct EarMonitor {
    let gain: GainNode
    let limiter: LimiterNode
    let place: FrameOrigin
    /// Node; its output 0 is the sound at EAR MONITORING.
    let anchor: NodeID
    let nodes: [NodeID]
  }

  var source: any AudioSource
  var sourceNode: NodeID
  /// Channels of the sent sound.
  var sentChannelCount: Int

  // Requested settings; they outlive a mute.
  var volume: Volume
  /// Requested pitch; nil until one is set.
  var pitch: VoicePitch?
  var isVoiceOnly = false
  var isMuted = false
  var isCaptured = true
  /// Volume of ear monitoring; nil while it is off.
  var earVolume: Volume?

  // Parts in the graph.
  var uplink: Uplink?
  var mapNode: NodeID?
  var ear: EarMonitor?
  /// Sink that takes the source's frames while nothing is sent.
  var idleSink: NodeID?
  /// Nodes while nothing is sent: the mixer of sounds that would go with the voice, and the nodes behind it. The sounds
  /// are then heard only here.
  var unsent: [NodeID] = []
}
