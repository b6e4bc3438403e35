/// A link's rate, and the queue before it: packets leave one after another, and what finds the queue full is dropped. A
/// packet that finds the link idle is sent, however short the queue is.
public struct Bottleneck: Hashable, Sendable {
  /// Bytes of IPv4's and UDP's headers, which a datagram has on the wire besides its own.
  public static let headerByteCount = 28

  /// Bits a second of what is handed to an `ImpairedLink`. Simulated calls and `UDPProxy` hand datagrams with their
  /// `headerByteCount`, as they are on the wire.
  public var bitsPerSecond: Int
  /// Bytes that may wait, those not yet sent of the packet on its way among them; 0: none, a packet comes through or is
  /// dropped.
  public var queueByteLimit: Int

  /// A rate and a queue.
  public init(bitsPerSecond: Int, queueByteLimit: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.queueByteLimit = queueByteLimit
  }

  /// A rate and a queue as long as what passes in `queueDuration`.
  public init(bitsPerSecond: Int, queueDuration: Duration) {
    let bytes = Double(bitsPerSecond) / 8 * (queueDuration / .seconds(1))
    self.init(bitsPerSecond: bitsPerSecond, queueByteLimit: Int(min(bytes.rounded(), 1e9)))
  }

  func validate() throws(NetworkConditionsError) {
    guard (1000...100_000_000_000).contains(bitsPerSecond) else { throw .bitrate(bitsPerSecond) }
    guard (0...1_000_000_000).contains(queueByteLimit) else { throw .queue(byteLimit: queueByteLimit) }
  }
}
