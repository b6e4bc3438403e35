/// Content of a datagram of a media transport, for the caller.
public enum ReceivedMedia: Hashable, Sendable, BitwiseCopyable {
  /// Nothing for the caller: the transport's own datagram, or a refused one.
  case nothing
  /// An RTP packet of so many bytes, decrypted in place.
  case rtp(byteCount: Int)
  /// RTCP packets of so many bytes, decrypted in place.
  case rtcp(byteCount: Int)
}
