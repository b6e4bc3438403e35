/// What a packet is whose number has come before.
enum PacketCopy: UInt8, BitwiseCopyable {
  /// Nobody has asked for it: the network's own doing, or its first coming.
  case notAsked
  /// The answer to a request that was not needed, or one too many.
  case answer
  /// The packet itself, which its own answer has overtaken.
  case original
}
