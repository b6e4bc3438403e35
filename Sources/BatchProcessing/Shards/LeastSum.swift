/// Sums of several shards; each cost goes to the least of them, of equal ones to the first.
struct LeastSum {
  /// A binary heap: the least sum is at the top.
  private var heap: [(sum: UInt64, shard: Int)]

  init(count: Int) { heap = (0..<count).map { (0, $0) } }

  /// Adds a cost to the least sum.
  ///
  /// - Returns: number of its shard, from 0.
  mutating func take(_ cost: UInt64) -> Int {
    let shard = heap[0].shard
    heap[0].sum += cost
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != index else { return shard }
      heap.swapAt(index, least)
      index = least
    }
  }
}
