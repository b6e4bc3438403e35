/// A node as the compiler sees it: the graph's own, or one that the compiler puts in between.
struct FlowNode {
  /// Tells nodes of two plans apart or recognises them as the same.
  enum Key: Hashable {
    case node(NodeID)
    /// Aligns a connection with the longer paths that it meets.
    case delay(ConnectionID, samples: Int)
    /// Carries an input from its old source to its new one.
    case crossfade(target: NodeID, port: Int)
  }

  /// Where the frames of an input come from.
  struct Source: Hashable {
    let key: Key
    let port: Int
  }

  /// One frame that comes in; without a source it is silence.
  struct Input {
    let port: Int
    let source: Source?
    var fade = Fade.none
  }

  let key: Key
  let name: String
  let node: any AudioNode
  var inputs: [Input]

  var latency: Int { node.latency }
}
