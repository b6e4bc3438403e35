/// Gives every output of a list of steps a buffer, and reuses a buffer after its last reader.
///
/// The buffer freed last is given out first, because the cache still holds it.
struct BufferAssignment {
  /// A buffer among those with the same channel count.
  struct Slot: Hashable {
    let channelCount: Int
    let index: Int
  }

  /// Buffers needed so far, by channel count. Shared between the lists that never run in the same tick.
  private(set) var needed: [Int: Int] = [:]

  /// Returns the buffers of every output of `order`.
  mutating func assign(_ order: [FlowNode]) -> [FlowNode.Source: Slot] {
    var lastReader: [FlowNode.Source: Int] = [:]
    for (step, node) in order.enumerated() {
      for input in node.inputs { if let source = input.source { lastReader[source] = step } }
    }
    var slots: [FlowNode.Source: Slot] = [:]
    var free: [Int: [Int]] = [:]
    var used: [Int: Int] = [:]
    for (step, node) in order.enumerated() {
      let sources = node.inputs.compactMap(\.source)
      var dying = Set(sources.filter { lastReader[$0] == step })
      for (port, output) in node.node.outputs.enumerated() {
        let key = FlowNode.Source(key: node.key, port: port)
        if port == 0, node.node.rendersInPlace, let first = node.inputs.first?.source, dying.contains(first),
          slots[first]!.channelCount == output.channelCount, sources.filter({ $0 == first }).count == 1
        {
          slots[key] = slots[first]
          dying.remove(first)
        } else if let index = free[output.channelCount]?.popLast() {
          slots[key] = Slot(channelCount: output.channelCount, index: index)
        } else {
          slots[key] = Slot(channelCount: output.channelCount, index: used[output.channelCount, default: 0])
          used[output.channelCount, default: 0] += 1
        }
      }
      let unread = node.node.outputs.indices.map { FlowNode.Source(key: node.key, port: $0) }
        .filter { lastReader[$0] == nil }
      for source in dying.union(unread) {
        let slot = slots[source]!
        free[slot.channelCount, default: []].append(slot.index)
      }
    }
    needed.merge(used) { max($0, $1) }
    return slots
  }
}
