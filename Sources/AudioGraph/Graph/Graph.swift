/// The nodes and connections that audio is to flow through; edited freely, heard only once compiled.
///
///     edit ──▶ Graph ── compile() ──▶ Plan ── install ──▶ GraphRunner
///
/// Every edit is checked at once, as far as one connection can be; `compile` finds loops and open ports. All frames of
/// a graph have one sample rate.
///
/// Thread: control (one at a time; the class is not `Sendable`).
///
/// ```swift
/// let samples = Ring<Float>(capacity: 48_000, initial: 0)
/// let graph = try Graph(sampleRate: 48_000)
/// let source = SampleSourceNode(reading: samples.takeConsumer(), channelCount: 1, sampleRate: 48_000, sourceID: 1)
/// let voice = try graph.add(source, named: "voice")
/// let gain = try graph.add(GainNode(channelCount: 1, volume: Volume(50)), named: "gain")
/// let end = try graph.add(NullSinkNode(channelCount: 1), named: "end")
/// try graph.connect(voice, to: gain)
/// try graph.connect(gain, to: end)
/// ```
public final class Graph {
  /// Samples per second of every frame, in Hz.
  public let sampleRate: Int
  /// Connections in the order in which they were made.
  public private(set) var connections: [Connection] = []
  private(set) var entries: [GraphEntry] = []
  private var names: Set<String> = []
  private var nodesByObject: [ObjectIdentifier: NodeID] = [:]
  /// Number of connections into each connected input port.
  private var arrivals: [Connection.End: Int] = [:]
  private var nextNode = 0
  private var nextConnection = 0

  /// Creates an empty graph.
  ///
  /// - Throws: `AudioFormatError` if the rate is not in `AudioFormat.sampleRates`.
  public init(sampleRate: Int) throws(AudioFormatError) {
    self.sampleRate = try AudioFormat(sampleRate: sampleRate, channelCount: 1).sampleRate
  }

  /// Nodes in the order in which they were added.
  public var nodes: [NodeID] { entries.map(\.id) }

  /// Adds a node under a name that is unique in the graph.
  ///
  /// A node that was removed and is added again gets a new identifier, but continues with its state.
  public func add(_ node: any AudioNode, named name: String) throws(GraphError) -> NodeID {
    guard !names.contains(name) else { throw .duplicateName(name) }
    if let existing = nodesByObject[ObjectIdentifier(node)] {
      throw .duplicateNode(name: name, existing: try entry(existing).name)
    }
    for channels in node.outputs.map(\.channelCount) + node.inputs.map(\.channelCounts.upperBound)
    where !AudioFormat.channelCounts.contains(channels) {
      throw .channelCount(node: name, channels: channels)
    }
    guard node.latency >= 0 else { throw .negativeLatency(node: name, samples: node.latency) }
    let id = NodeID(rawValue: nextNode)
    nextNode += 1
    entries.append(GraphEntry(id: id, name: name, node: node))
    names.insert(name)
    nodesByObject[ObjectIdentifier(node)] = id
    return id
  }

  /// Connects an output to an input.
  @discardableResult
  public func connect(
    _ source: NodeID, output: Int = 0, to target: NodeID, input: Int = 0
  ) throws(GraphError) -> ConnectionID {
    let from = try entry(source)
    let to = try entry(target)
    guard from.node.outputs.indices.contains(output) else { throw .noSuchPort(node: from.name, port: output) }
    guard to.node.inputs.indices.contains(input) else { throw .noSuchPort(node: to.name, port: input) }
    let port = to.node.inputs[input]
    let channels = from.node.outputs[output].channelCount
    if let accepts = port.mismatch(channels) {
      throw .formatMismatch(from: from.name, channels: channels, to: to.name, accepts: accepts)
    }
    let targetEnd = Connection.End(node: target, port: input)
    guard port.multiplicity == .any || arrivals[targetEnd] == nil else {
      throw .portOccupied(node: to.name, port: port.name)
    }
    let id = ConnectionID(rawValue: nextConnection)
    nextConnection += 1
    connections.append(Connection(id: id, source: .init(node: source, port: output), target: targetEnd))
    arrivals[targetEnd, default: 0] += 1
    return id
  }

  /// Removes a connection.
  public func disconnect(_ connection: ConnectionID) throws(GraphError) {
    let index = connections.partitioningIndex { $0.id >= connection }
    guard index < connections.count, connections[index].id == connection else { throw .unknownConnection }
    forget(connections.remove(at: index))
  }

  /// Removes a node and its connections.
  public func remove(_ node: NodeID) throws(GraphError) {
    let index = try index(of: node)
    let entry = entries.remove(at: index)
    names.remove(entry.name)
    nodesByObject[ObjectIdentifier(entry.node)] = nil
    connections.removeAll { connection in
      guard connection.source.node == node || connection.target.node == node else { return false }
      forget(connection)
      return true
    }
  }

  /// Returns the name that a node was added under.
  public func name(of node: NodeID) throws(GraphError) -> String { try entry(node).name }

  /// Checks the graph and compiles it into a plan that can take over from `previous` without a click.
  ///
  /// - Throws: `GraphError` for the fault of the graph, which stays as it is for correction.
  public func compile(replacing previous: Plan? = nil) throws(GraphError) -> Plan {
    let flow = try Flow(graph: self, reusing: previous?.flow)
    return try Plan(flow: flow, replacing: previous?.flow, sampleRate: sampleRate)
  }

  private func entry(_ id: NodeID) throws(GraphError) -> GraphEntry { entries[try index(of: id)] }

  private func index(of id: NodeID) throws(GraphError) -> Int {
    let index = entries.partitioningIndex { $0.id >= id }
    guard index < entries.count, entries[index].id == id else { throw .unknownNode }
    return index
  }

  private func forget(_ connection: Connection) {
    arrivals[connection.target]! -= 1
    if arrivals[connection.target] == 0 { arrivals[connection.target] = nil }
  }
}

/// A node with its place in a graph.
struct GraphEntry {
  let id: NodeID
  let name: String
  let node: any AudioNode
}

extension Array {
  /// Returns the index of the first element that passes, in an array with all failing elements before all passing ones.
  ///
  /// Identifiers are given out in rising order, so nodes and connections are sorted by them.
  fileprivate func partitioningIndex(where passes: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
