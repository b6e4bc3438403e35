import CPlatform

/// Fetches memory into the cache ahead of its use.
///
/// A packet meets the state of each listener in turn. That state is too large for the cache, and a loop without this
/// waits for memory most of its time.
enum Prefetch {
  private static let lineByteCount = 64

  /// Fetches the state of the next listeners, in three steps, while a packet is sent to one.
  static func next(_ legs: [Unmanaged<ForwardingLeg>], _ index: Int) {
    if index + 6 < legs.count { memory(legs[index + 6].toOpaque(), byteCount: 320) }
    if index + 4 < legs.count { legs[index + 4]._withUnsafeGuaranteedRef { $0.prefetchObjects() } }
    if index + 2 < legs.count { legs[index + 2]._withUnsafeGuaranteedRef { $0.prefetchMemory() } }
  }

  /// Fetches the lines of an object.
  static func memory(_ address: UnsafeRawPointer, byteCount: Int) {
    var offset = 0
    while offset < byteCount {
      cplatform_prefetch(address + offset)
      offset += lineByteCount
    }
  }

  /// Fetches the line at an address.
  static func address(_ address: UnsafeRawPointer) { cplatform_prefetch(address) }
}
