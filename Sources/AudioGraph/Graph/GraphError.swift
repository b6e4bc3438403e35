/// Reason why a graph cannot be edited or compiled. Every case names the nodes.
public enum GraphError: Error, Hashable, CustomStringConvertible {
  /// The node is not, or no longer, in this graph.
  case unknownNode
  /// The connection is not, or no longer, in this graph.
  case unknownConnection
  /// Two nodes have the same name.
  case duplicateName(String)
  /// The node is already in the graph, under another name.
  case duplicateNode(name: String, existing: String)
  /// The node has no such port.
  case noSuchPort(node: String, port: Int)
  /// The port takes one connection and already has it.
  case portOccupied(node: String, port: String)
  /// The channel counts of the two ends do not fit.
  case formatMismatch(from: String, channels: Int, to: String, accepts: ClosedRange<Int>)
  /// An input or output has no connection.
  case unconnected(node: String, port: String)
  /// The nodes form a loop, in this order.
  case cycle([String])
  /// The nodes change their order in the flow, which cannot be crossfaded in one step.
  case reordered([String])
  /// A port has no channels or more than `AudioFormat.channelCounts` allow.
  case channelCount(node: String, channels: Int)
  /// The node's latency is negative.
  case negativeLatency(node: String, samples: Int)

  public var description: String {
    switch self {
    case .unknownNode: "the node is not in this graph; add it first"
    case .unknownConnection: "the connection is not in this graph; it may have been removed with its node"
    case .duplicateName(let name): "a node named '\(name)' is already in the graph; choose another name"
    case .duplicateNode(let name, let existing):
      "the node to be added as '\(name)' is already in the graph as '\(existing)'; make a second one"
    case .noSuchPort(let node, let port): "'\(node)' has no port \(port)"
    case .portOccupied(let node, let port):
      "port '\(port)' of '\(node)' takes one connection and has it; disconnect it first or put a mixer before it"
    case .formatMismatch(let from, let channels, let to, let accepts):
      "'\(from)' gives \(channels) channels but '\(to)' accepts "
        + (accepts.lowerBound == accepts.upperBound
          ? "\(accepts.lowerBound)" : "\(accepts.lowerBound) to \(accepts.upperBound)")
    case .unconnected(let node, let port): "port '\(port)' of '\(node)' is not connected"
    case .cycle(let names): "the nodes form a loop: \(names.joined(separator: " -> "))"
    case .reordered(let names):
      "the nodes change their order in the flow (\(names.joined(separator: ", "))); "
        + "remove one, install that plan, and put it back once a tick has taken it"
    case .channelCount(let node, let channels):
      "'\(node)' has a port of \(channels) channels; a frame has 1 to \(AudioFormat.channelCounts.upperBound)"
    case .negativeLatency(let node, let samples): "'\(node)' declares a latency of \(samples) samples; use 0 or more"
    }
  }
}
