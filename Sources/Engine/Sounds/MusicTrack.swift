import AudioGraph

/// Music on its path into a mixer.
struct MusicTrack {
  let source: any AudioSource
  let target: MusicTarget
  let nodes: [NodeID]
  /// Mixer of the target; nil while it is not there.
  var mixer: NodeID?
  /// Sink that takes the music's frames while its voice is not sent.
  var idleSink: NodeID?
}
