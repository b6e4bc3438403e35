/// A node as the compiler sees it: the graph's own, or one that the compiler puts in between.
struct FlowNode {
  /// Tells nodes of two plans apart or recognises them as the same.
  enum Key: Hashable {
    /// The object, not its identifier in the graph: its state is what must not be rendered twice in a tick.
    case node(ObjectIdentifier)
    /// Aligns a connection with the longer paths that it meets.
    case delay(ConnectionID, samples: Int)
    /// Carries an input from its old source to its new one.
    case crossfade(target: ObjectIdentifier, port: Int)
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

  /// False for what the compiler puts in between.
  var isOwnedByGraph: Bool { if case .node = key { true } else { false } }
}
