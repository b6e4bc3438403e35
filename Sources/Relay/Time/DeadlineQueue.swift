/// Objects by their deadlines: a binary heap that holds each object at most once.
///
/// Thread: one at a time.
struct DeadlineQueue {
  private var heap: [TimedObject] = []

  /// The earliest deadline; nil without one.
  var nextNanoseconds: Int? { heap.first?.deadlineNanoseconds }

  /// Sets the deadline of an object, or removes the object.
  mutating func set(_ object: TimedObject, _ deadline: Int?) {
    guard let deadline else {
      remove(object)
      return
    }
    if object.queueIndex < 0 {
      object.queueIndex = heap.count
      object.deadlineNanoseconds = deadline
      heap.append(object)
      rise(object.queueIndex)
    } else if deadline != object.deadlineNanoseconds {
      object.deadlineNanoseconds = deadline
      rise(object.queueIndex)
      sink(object.queueIndex)
    }
  }

  /// Removes an object; without effect outside the queue.
  mutating func remove(_ object: TimedObject) {
    let index = object.queueIndex
    guard index >= 0 else { return }
    let last = heap.removeLast()
    if last !== object {
      heap[index] = last
      last.queueIndex = index
      rise(last.queueIndex)
      sink(last.queueIndex)
    }
    object.queueIndex = -1
    object.deadlineNanoseconds = .max
  }

  /// Removes and returns an object with a deadline at or before a time; nil if none is due.
  mutating func takeDue(_ nowNanoseconds: Int) -> TimedObject? {
    guard let first = heap.first, first.deadlineNanoseconds <= nowNanoseconds else { return nil }
    remove(first)
    return first
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, heap[index].deadlineNanoseconds < heap[(index - 1) / 2].deadlineNanoseconds {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].deadlineNanoseconds < heap[least].deadlineNanoseconds { least = child }
      }
      guard least != index else { return }
      swap(index, least)
      index = least
    }
  }

  private mutating func swap(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    heap[first].queueIndex = first
    heap[second].queueIndex = second
  }
}
