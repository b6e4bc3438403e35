/// Packets under way, the earliest arrival first; of two that arrive together, the one sent first. A binary heap.
struct DeliveryQueue<Datagram> {
  struct Entry {
    let arrivalNanoseconds: Int
    /// Number of entries inserted before this one.
    let order: Int
    /// Number of packets sent before this one; a duplicate has the number of its packet.
    let packet: Int
    let isCopy: Bool
    let datagram: Datagram

    func isBefore(_ other: Entry) -> Bool {
      (arrivalNanoseconds, order) < (other.arrivalNanoseconds, other.order)
    }
  }

  private var heap: [Entry] = []
  private var inserted = 0

  var first: Entry? { heap.first }

  mutating func insert(_ datagram: Datagram, packet: Int, isCopy: Bool, arrivalNanoseconds: Int) {
    heap.append(
      Entry(
        arrivalNanoseconds: arrivalNanoseconds, order: inserted, packet: packet, isCopy: isCopy, datagram: datagram))
    inserted += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { return first }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}

extension DeliveryQueue: Sendable where Datagram: Sendable {}
extension DeliveryQueue.Entry: Sendable where Datagram: Sendable {}
