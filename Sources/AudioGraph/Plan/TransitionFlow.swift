/// The steps that lead from one flow to the next: both at once, with fades where they differ.
///
/// What both have runs once. An input that changes its source hears the old one until the new path's delays
/// are filled, then one frame of crossfade. Sinks that leave are not run again.
struct TransitionFlow {
  let order: [FlowNode]
  /// Ticks before the crossfade, so that new steps on a path that is already heard have filled their delays.
  let warmUpTicks: Int

  /// Nil where nothing changes for the nodes that stay.
  init?(from old: Flow, to new: Flow, sampleRate: Int) throws(GraphError) {
    let oldNodes = Dictionary(uniqueKeysWithValues: old.order.map { ($0.key, $0) })
    let newKeys = Set(new.order.map(\.key))
    var merged: [FlowNode] = []
    var leaving: [FlowNode.Key] = []
    for node in new.order {
      guard let before = oldNodes[node.key] else {
        merged.append(node)
        continue
      }
      let (steps, departed) = Self.merge(before: before, after: node)
      merged += steps
      leaving += departed
    }
    var included = Set(merged.map(\.key))
    while let key = leaving.popLast() {
      guard !newKeys.contains(key), included.insert(key).inserted, let node = oldNodes[key] else { continue }
      merged.append(node)
      leaving += node.inputs.compactMap(\.source?.key)
    }
    guard merged.contains(where: { node in node.inputs.contains { $0.fade != .none } }) else { return nil }
    order = try Self.sort(merged)
    warmUpTicks = Self.warmUpTicks(
      order, isNew: { newKeys.contains($0) && oldNodes[$0] == nil }, sampleRate: sampleRate)
  }

  private static func merge(before: FlowNode, after: FlowNode) -> ([FlowNode], departed: [FlowNode.Key]) {
    var result = after
    result.inputs = []
    var steps: [FlowNode] = []
    var departed: [FlowNode.Key] = []
    for (index, port) in after.node.inputs.enumerated() {
      let old = before.inputs.filter { $0.port == index }
      let new = after.inputs.filter { $0.port == index }
      if port.multiplicity == .any {
        let oldSources = Set(old.map(\.source))
        let newSources = Set(new.map(\.source))
        result.inputs += new.map {
          .init(port: index, source: $0.source, fade: oldSources.contains($0.source) ? .none : .fadeIn)
        }
        let gone = old.filter { !newSources.contains($0.source) }
        result.inputs += gone.map { .init(port: index, source: $0.source, fade: .fadeOut) }
        departed += gone.compactMap(\.source?.key)
      } else if let from = old.first?.source, let to = new.first?.source, from == to {
        result.inputs.append(.init(port: index, source: to))
      } else if old.first?.source == nil, new.first?.source == nil {
        result.inputs.append(.init(port: index, source: nil))
      } else if case .node(let target) = after.key {
        let key = FlowNode.Key.crossfade(target: target, port: index)
        steps.append(
          FlowNode(
            key: key, name: "crossfade into \(after.name)",
            node: CrossfadeNode(channelCount: port.channelCounts.upperBound),
            inputs: [
              .init(port: 0, source: old.first?.source, fade: .fadeOut),
              .init(port: 1, source: new.first?.source, fade: .fadeIn),
            ]))
        result.inputs.append(.init(port: index, source: .init(key: key, port: 0)))
        if let key = old.first?.source?.key { departed.append(key) }
      }
    }
    return (steps + [result], departed)
  }

  private static func sort(_ nodes: [FlowNode]) throws(GraphError) -> [FlowNode] {
    let byKey = Dictionary(uniqueKeysWithValues: nodes.map { ($0.key, $0) })
    do {
      return try TopologicalOrder.sort(
        nodes.map { node in
          .init(
            key: node.key, name: node.name, isSink: node.node.outputs.isEmpty,
            sources: node.inputs.compactMap(\.source?.key))
        }
      ).map { byKey[$0]! }
    } catch .cycle(let names) {
      // Neither flow has a loop, so the two order the same nodes differently.
      throw .reordered(names.dropLast().filter { !$0.hasPrefix("crossfade into ") })
    }
  }

  /// The longest delay of new steps that read a signal which is already heard. A chain that begins with a new
  /// source needs none: it has nothing to catch up with, and would lose its first frames.
  private static func warmUpTicks(_ order: [FlowNode], isNew: (FlowNode.Key) -> Bool, sampleRate: Int) -> Int {
    var pending: [FlowNode.Key: Int] = [:]
    for node in order where isNew(node.key) {
      let arrivals = node.inputs.compactMap(\.source?.key).compactMap { isNew($0) ? pending[$0] : 0 }
      if let longest = arrivals.max() { pending[node.key] = longest + node.latency }
    }
    let samplesPerTick = sampleRate / FrameSchedule.framesPerSecond
    return ((pending.values.max() ?? 0) + samplesPerTick - 1) / samplesPerTick
  }
}
