import Platform

/// The path of a connection, found by connectivity checks.
///
/// Thread: one at a time.
protocol MediaPath: AnyObject {
  /// Address for packets to the peer; nil before it is known.
  var remoteAddress: SocketAddress? { get }
  /// Address for the first DTLS datagrams, which need not wait for the end of the checks; nil before there is one.
  var earlyAddress: SocketAddress? { get }
  /// This end's address as the peer sees it, by its newest answer; nil if this end sends no checks.
  var mappedAddress: SocketAddress? { get }
  /// Time of the peer's newest check, or of its newest answer to one; nil before it.
  var heardNanoseconds: Int? { get }
  /// Time of the next `poll`; nil if none is needed.
  var nextDeadlineNanoseconds: Int? { get }

  /// Takes a STUN message.
  ///
  /// - Parameter output: Takes the datagrams to send and the changes of the path.
  /// - Returns: Whether the message is the peer's: made with the password that signalling gave it.
  func receive(
    _ message: UnsafeRawBufferPointer, from source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput
  ) -> Bool

  /// Does the work that is due.
  func poll(nowNanoseconds: Int, _ output: inout PathOutput)

  /// Lets the next `poll` check the path, if this end sends checks.
  func check(nowNanoseconds: Int)

  /// Whether datagrams from an address can be the peer's: it has passed a check.
  func trusts(_ source: SocketAddress) -> Bool

  /// Lets checks from other addresses only propose them from now on: the connection has keys for a proof.
  func requireProof()

  /// Takes the proof that the peer is at an address: the newest packet came from there.
  func prove(_ source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput)
}
