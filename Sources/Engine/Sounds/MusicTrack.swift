import AudioGraph

/// Music on its way into a mixer.
struct MusicTrack {
  let source: any AudioSource
  let target: MusicTarget
  let nodes: [NodeID]
  /// The mixer that it flows to; nil while that is not there.
  var mixer: NodeID?
  /// Takes the music's frames while the voice that they go with is not sent.
  var idleSink: NodeID?
}
