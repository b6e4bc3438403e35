/// A node as the compiler sees it: a node of the graph, or one that the compiler inserts.
struct FlowNode {
  /// Distinguishes nodes of two plans or recognizes them as the same.
  enum Key: Hashable {
    /// The object, not its identifier in the graph, because its state must not be rendered twice in a tick.
    case node(ObjectIdentifier)
    /// Aligns a connection with the longer paths that it meets.
    case delay(ConnectionID, samples: Int)
    /// Carries an input from its old source to its new one.
    case crossfade(target: ObjectIdentifier, port: Int)
  }

  /// Origin of the frames of an input.
  struct Source: Hashable {
    let key: Key
    let port: Int
  }

  /// One input frame; without a source it is silence.
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

  /// Whether the node belongs to the graph; false if the compiler inserted it.
  var isOwnedByGraph: Bool { if case .node = key { true } else { false } }
}
