/// Times at which users have work, the earliest first. A user may have several entries; early ones do no harm.
struct LoadAgenda {
  /// Binary heap: no entry is earlier than that at half its index.
  private var heap: [(time: Int, number: Int)] = []
  /// Earliest entry of each user; `Int.max` without one.
  private var planned: [Int]

  init(userCount: Int) { planned = [Int](repeating: .max, count: userCount) }

  /// Earliest time; nil if nobody has work.
  var nextNanoseconds: Int? { heap.first?.time }

  /// Adds an entry, unless the user has an earlier one.
  mutating func plan(_ number: Int, at time: Int) {
    guard time < planned[number] else { return }
    planned[number] = time
    heap.append((time, number))
    var index = heap.count - 1
    while index > 0, heap[index].time < heap[(index - 1) / 2].time {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes the next user whose time has come; nil if there is none.
  mutating func takeDue(_ now: Int) -> Int? {
    guard let first = heap.first, first.time <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].time < heap[smallest].time { smallest = child }
      guard smallest != index else { break }
      heap.swapAt(index, smallest)
      index = smallest
    }
    if planned[first.number] == first.time { planned[first.number] = .max }
    return first.number
  }
}
