/// What a packet is whose number may have come before.
enum PacketCopy: UInt8, BitwiseCopyable {
  /// It has not come before, or so long ago that nobody knows.
  case first
  /// It has come before, and nobody has asked for it: the network's own doing.
  case copy
  /// The answer to a request that was not needed, or one too many.
  case answer
  /// The packet itself, which its own answer has overtaken.
  case original
}
