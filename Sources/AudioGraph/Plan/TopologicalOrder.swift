/// Sorts the nodes of a flow so that each comes after those that it reads from.
///
/// Depth first: a chain is followed to its end before the next begins. Few buffers are thus alive at once, and the next
/// step finds its input in the cache. Of all ready nodes, sinks go first, so that a node that renders in place comes
/// after those that only read.
enum TopologicalOrder {
  struct Item<Key: Hashable> {
    let key: Key
    let name: String
    let isSink: Bool
    let sources: [Key]
  }

  /// Returns the keys of `items` in sorted order.
  ///
  /// - Throws: `.cycle` with the names along the loop.
  static func sort<Key: Hashable>(_ items: [Item<Key>]) throws(GraphError) -> [Key] {
    let index = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.key, $0) })
    var waiting = items.map(\.sources.count)
    var readers = [[Int]](repeating: [], count: items.count)
    for (reader, item) in items.enumerated() {
      for source in item.sources { readers[index[source]!].append(reader) }
    }
    var ready = items.indices.filter { waiting[$0] == 0 }.reversed().map { $0 }
    var order: [Key] = []
    while let next = ready.popLast() {
      order.append(items[next].key)
      var freed: [Int] = []
      for reader in readers[next] {
        waiting[reader] -= 1
        if waiting[reader] == 0 { freed.append(reader) }
      }
      ready += freed.filter { !items[$0].isSink }.reversed()
      ready += freed.filter { items[$0].isSink }.reversed()
    }
    guard order.count == items.count else {
      throw .cycle(loop(among: items, index: index, waiting: waiting))
    }
    return order
  }

  /// Walks backwards from any waiting node; each has a source that waits too, so a loop must close.
  private static func loop<Key: Hashable>(among items: [Item<Key>], index: [Key: Int], waiting: [Int]) -> [String] {
    var path: [Int] = []
    var current = waiting.firstIndex { $0 > 0 }!
    while !path.contains(current) {
      path.append(current)
      current = items[current].sources.map { index[$0]! }.first { waiting[$0] > 0 }!
    }
    let loop = path[path.firstIndex(of: current)!...].reversed().map { items[$0].name }
    return loop + [loop[0]]
  }
}
