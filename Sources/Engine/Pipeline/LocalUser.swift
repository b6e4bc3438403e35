import AudioGraph
import Effects
import FrameObservers

/// The listener's own voice: its uplink, its part in MIXED, and what it hears of itself.
///
///     source ▶ uplink ▶ (RECORD) ─┬▶ mixed mixer
///                                 └▶ ear gain ▶ (EAR MONITORING) ▶ playout sinks
struct LocalUser {
  let source: any AudioSource
  let sourceNode: NodeID
  /// Nil while the local stream is muted or local audio is off.
  var uplink: Uplink?
  var ear: EarMonitor?
  var mapNode: NodeID?
  var idleSink: NodeID?

  /// What the local user hears of itself.
  struct EarMonitor {
    let gain: GainNode
    let place: FrameSource
    let anchor: NodeID
    let nodes: [NodeID]
  }
}
