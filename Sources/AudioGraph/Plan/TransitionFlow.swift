/// The steps that lead from one flow to the next: both at once, with fades for their differences.
///
/// Common steps run once. An input that changes its source hears the old one until the new path's delays are filled,
/// then one frame of crossfade. Sinks that leave do not run again.
struct TransitionFlow {
  let order: [FlowNode]
  /// Nodes from which every path leads through a connection that is being faded in.
  let arriving: Set<FlowNode.Key>
  /// Ticks before the crossfade, in which new steps fill their delays and the old paths are heard.
  let warmUpTicks: Int

  /// Creates the transition; nil if nothing changes for the nodes that stay.
  init?(from old: Flow, to new: Flow, sampleRate: Int) throws(GraphError) {
    let oldNodes = Dictionary(uniqueKeysWithValues: old.order.map { ($0.key, $0) })
    let newKeys = Set(new.order.map(\.key))
    let nodes = oldNodes.merging(new.order.map { ($0.key, $0) }) { _, new in new }
    var merged: [FlowNode] = []
    var leaving: [FlowNode.Key] = []
    for node in new.order {
      guard let before = oldNodes[node.key] else {
        merged.append(node)
        continue
      }
      let (steps, departed) = Self.merge(before: before, after: node) { source in
        nodes[source.key]!.node.outputs[source.port].channelCount
      }
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
    arriving = Self.arriving(order)
    warmUpTicks = Self.warmUpTicks(
      order, isNew: { newKeys.contains($0) && oldNodes[$0] == nil }, sampleRate: sampleRate)
  }

  /// Returns the delay of each step: in the crossfade the new one, or the old one if everything heard fades out.
  func delays(from old: [FlowNode.Key: Int], to new: [FlowNode.Key: Int]) -> [FlowNode.Key: PlanDelay] {
    var fading: Set<FlowNode.Key> = []
    var delays: [FlowNode.Key: PlanDelay] = [:]
    for node in order {
      let heard = node.inputs.filter { $0.source != nil }
      if !heard.isEmpty, heard.allSatisfy({ $0.fade == .fadeOut || fading.contains($0.source!.key) }) {
        fading.insert(node.key)
      }
      guard let newest = new[node.key] ?? old[node.key] else { continue }
      let oldest = old[node.key] ?? newest
      delays[node.key] = PlanDelay(warmingUp: oldest, settled: fading.contains(node.key) ? oldest : newest)
    }
    return delays
  }

  private static func merge(
    before: FlowNode, after: FlowNode, channelCount: (FlowNode.Source) -> Int
  ) -> ([FlowNode], departed: [FlowNode.Key]) {
    var result = after
    result.inputs = []
    var steps: [FlowNode] = []
    var departed: [FlowNode.Key] = []
    for (index, port) in after.node.inputs.enumerated() {
      let old = before.inputs.filter { $0.port == index }
      let new = after.inputs.filter { $0.port == index }
      if port.multiplicity == .any {
        // Counted, because one source may be connected several times.
        var left = Dictionary(old.map { ($0.source, 1) }, uniquingKeysWith: +)
        func take(_ source: FlowNode.Source?) -> Bool {
          guard let count = left[source], count > 0 else { return false }
          left[source] = count - 1
          return true
        }
        result.inputs += new.map { .init(port: index, source: $0.source, fade: take($0.source) ? .none : .fadeIn) }
        let gone = old.filter { take($0.source) }
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
            node: CrossfadeNode(channelCount: [old, new].compactMap(\.first?.source).map(channelCount).max()!),
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
            key: node.key, name: node.isOwnedByGraph ? node.name : "", isSink: node.node.outputs.isEmpty,
            sources: node.inputs.compactMap(\.source?.key))
        }
      ).map { byKey[$0]! }
    } catch .cycle(let names) {
      // Neither flow has a loop, so the two order the same nodes differently.
      throw .reordered(names.dropLast().filter { !$0.isEmpty })
    }
  }

  private static func arriving(_ order: [FlowNode]) -> Set<FlowNode.Key> {
    var arriving: Set<FlowNode.Key> = []
    var heard: Set<FlowNode.Key> = []
    // The receivers of a node's output come after it.
    for node in order.reversed() {
      for input in node.inputs {
        guard let source = input.source?.key else { continue }
        if input.fade != .fadeIn, !arriving.contains(node.key) {
          heard.insert(source)
          arriving.remove(source)
        } else if !heard.contains(source) {
          arriving.insert(source)
        }
      }
    }
    return arriving
  }

  /// Returns the longest delay of new steps in one path, in ticks.
  ///
  /// The crossfade waits for it, so that the frame in which a path is faded in is the first one that it fills. A chain
  /// that begins with a new source waits as well and loses less than a frame of its beginning. Unfaded, a source in
  /// mid-signal would be heard as a click.
  private static func warmUpTicks(_ order: [FlowNode], isNew: (FlowNode.Key) -> Bool, sampleRate: Int) -> Int {
    var pending: [FlowNode.Key: Int] = [:]
    for node in order where isNew(node.key) {
      pending[node.key] = (node.inputs.compactMap(\.source).map { pending[$0.key] ?? 0 }.max() ?? 0) + node.latency
    }
    let samplesPerTick = sampleRate / FrameSchedule.framesPerSecond
    return ((pending.values.max() ?? 0) + samplesPerTick - 1) / samplesPerTick
  }
}
