/// Kind of a packet with a number that may have arrived before.
package enum PacketCopy: UInt8, BitwiseCopyable {
  /// It has not arrived before, or so long ago that it is forgotten.
  case first
  /// It has arrived before, without a request: a duplicate by the network.
  case copy
  /// An answer to a request that was not needed, or one answer too many.
  case answer
  /// The packet itself, overtaken by its own answer.
  case original
}
