/// Network that knows how long a datagram has waited for its receiver.
package protocol WaitMeasuringNetwork: ChannelNetwork {
  /// Time between the arrival of the newest datagram and `receive`, in nanoseconds.
  var waitedNanoseconds: Int { get }
}
