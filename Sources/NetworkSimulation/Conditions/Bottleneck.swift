/// A link's rate, and the queue before it: packets leave one after another, and a packet that finds the queue full is
/// dropped. A packet that finds the link idle is sent, however short the queue is.
public struct Bottleneck: Hashable, Sendable {
  /// Bytes of the IPv4 and UDP headers, which a datagram has on the wire in addition to its own.
  public static let headerByteCount = 28

  /// Rate of an `ImpairedLink`, in bits a second of the bytes handed to it. Simulated calls and `UDPProxy` hand
  /// datagrams with their `headerByteCount`, as they are on the wire.
  public var bitsPerSecond: Int
  /// Bytes that may wait, including unsent bytes of the packet in transmission; with 0, a packet passes at once or is
  /// dropped.
  public var queueByteLimit: Int

  /// Creates a rate with a queue limit in bytes.
  public init(bitsPerSecond: Int, queueByteLimit: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.queueByteLimit = queueByteLimit
  }

  /// Creates a rate with a queue limit of the bytes that pass in `queueDuration`.
  public init(bitsPerSecond: Int, queueDuration: Duration) {
    let bytes = Double(bitsPerSecond) / 8 * (queueDuration / .seconds(1))
    self.init(bitsPerSecond: bitsPerSecond, queueByteLimit: Int(min(bytes.rounded(), 1e9)))
  }

  func validate() throws(NetworkConditionsError) {
    guard (1000...100_000_000_000).contains(bitsPerSecond) else { throw .bitrate(bitsPerSecond) }
    guard (0...1_000_000_000).contains(queueByteLimit) else { throw .queue(byteLimit: queueByteLimit) }
  }
}
