/// A checked graph in rendering order, with delay lines at the meeting points of paths with unequal delay.
struct Flow {
  /// Every node after the nodes that it reads from.
  let order: [FlowNode]
  /// Delay at each node's outputs (a sink: at its inputs), in samples per channel.
  let delays: [FlowNode.Key: Int]
  /// Keys of the graph's nodes in this flow.
  let keys: [NodeID: FlowNode.Key]

  /// Creates the flow of `graph`; delay lines that `previous` already has are taken over with their content.
  init(graph: Graph, reusing previous: Flow?) throws(GraphError) {
    try Self.checkPorts(graph)
    let incoming = Dictionary(grouping: graph.connections, by: \.target.node)
    let byID = Dictionary(uniqueKeysWithValues: graph.entries.map { ($0.id, $0) })
    let entries = try TopologicalOrder.sort(
      graph.entries.map { entry in
        TopologicalOrder.Item(
          key: entry.id, name: entry.name, isSink: entry.node.outputs.isEmpty,
          sources: incoming[entry.id, default: []].map(\.source.node))
      }
    ).map { byID[$0]! }

    let keys = Dictionary(
      uniqueKeysWithValues: graph.entries.map { ($0.id, FlowNode.Key.node(ObjectIdentifier($0.node))) })
    let oldLines = previous?.delayLines ?? [:]
    var order: [FlowNode] = []
    var delays: [FlowNode.Key: Int] = [:]
    var channels: [FlowNode.Source: Int] = [:]
    for entry in entries {
      let connections = (incoming[entry.id] ?? []).sorted { ($0.target.port, $0.id) < ($1.target.port, $1.id) }
      let arrivals = connections.map { delays[keys[$0.source.node]!]! }
      let longest = arrivals.max() ?? 0
      var inputs: [FlowNode.Input] = []
      for (connection, arrival) in zip(connections, arrivals) {
        var source = FlowNode.Source(key: keys[connection.source.node]!, port: connection.source.port)
        if arrival < longest {
          let key = FlowNode.Key.delay(connection.id, samples: longest - arrival)
          let line =
            oldLines[key]
            ?? DelayNode(samples: longest - arrival, channelCount: channels[source]!, sampleRate: graph.sampleRate)
          order.append(
            FlowNode(
              key: key, name: "delay \(longest - arrival)", node: line, inputs: [.init(port: 0, source: source)]))
          delays[key] = longest
          source = FlowNode.Source(key: key, port: 0)
        }
        inputs.append(.init(port: connection.target.port, source: source))
      }
      for (index, port) in entry.node.inputs.enumerated()
      where port.multiplicity == .optional && !inputs.contains(where: { $0.port == index }) {
        inputs.append(.init(port: index, source: nil))
      }
      inputs.sort { $0.port < $1.port }
      order.append(FlowNode(key: keys[entry.id]!, name: entry.name, node: entry.node, inputs: inputs))
      delays[keys[entry.id]!] = longest + entry.node.latency
      for (index, port) in entry.node.outputs.enumerated() {
        channels[.init(key: keys[entry.id]!, port: index)] = port.channelCount
      }
    }
    self.order = order
    self.delays = delays
    self.keys = keys
  }

  private var delayLines: [FlowNode.Key: any AudioNode] {
    var lines: [FlowNode.Key: any AudioNode] = [:]
    for node in order { if case .delay = node.key { lines[node.key] = node.node } }
    return lines
  }

  private static func checkPorts(_ graph: Graph) throws(GraphError) {
    let used = Set(
      graph.connections.flatMap { [PortUse(end: $0.source, isInput: false), PortUse(end: $0.target, isInput: true)] })
    for entry in graph.entries {
      for (index, port) in entry.node.inputs.enumerated() where port.multiplicity == .one {
        guard used.contains(PortUse(end: .init(node: entry.id, port: index), isInput: true)) else {
          throw .unconnected(node: entry.name, port: port.name)
        }
      }
      for (index, port) in entry.node.outputs.enumerated() {
        guard used.contains(PortUse(end: .init(node: entry.id, port: index), isInput: false)) else {
          throw .unconnected(node: entry.name, port: port.name)
        }
      }
    }
  }

  private struct PortUse: Hashable {
    let end: Connection.End
    let isInput: Bool
  }
}
