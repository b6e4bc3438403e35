package import MediaStreams
package import NetworkIO
package import Platform
import RTP
package import RelayClient
package import Signalling
import WebRTC

/// Network, random numbers and calendar of an engine.
package struct ChannelEnvironment: Sendable {
  /// Makes the WebSockets of a session.
  package var makeSignalling: @Sendable (TLSVerification) -> any SignallingNetwork
  /// Makes the datagrams of a channel.
  package var makeMedia: @Sendable (ChannelName) throws(ChannelError) -> any MediaNetwork
  /// Makes a generator of random numbers of a channel; nil: of a session.
  package var makeRandom: @Sendable (ChannelName?) -> any RandomNumberGenerator
  /// The calendar, in nanoseconds since 1970.
  package var unixNanoseconds: @Sendable () -> Int
  /// Whether the caller makes the ticks of the pipeline and serves the sessions, in place of a thread.
  package var isStepped: Bool
  /// Network of the route to an address; nil: it is not watched.
  package var networkType: (@Sendable (SocketAddress) -> NetworkType)?
  /// Codec of sent packets, Opus or null; nil for Opus with the options of the engine.
  package var codec: SenderCodec?
  /// Source that null packets name.
  package var sourceID: UInt32
  /// Whether reports of loss change the sent packets.
  package var adapts: Bool
  /// Whether lost packets are requested.
  package var requestsPackets: Bool
  /// Called with each packet of the local user before it is encrypted and sent. Retransmitted packets are left out.
  package var onPacket: (@Sendable (UnsafeRawBufferPointer) -> Void)?

  /// Makes the certificate of a channel's transports.
  func makeCertificate() -> DTLSCertificate { DTLSCertificate(unixSeconds: unixNanoseconds() / 1_000_000_000) }

  /// Codec of received packets.
  var receiverCodec: ReceiverCodec {
    if case .null? = codec { .null } else { .opus }
  }

  /// Creates an environment from its parts; unless given, those of the machine.
  package init(
    makeSignalling: @escaping @Sendable (TLSVerification) -> any SignallingNetwork = { WebSocketNetwork($0) },
    makeMedia: @escaping @Sendable (ChannelName) throws(ChannelError) -> any MediaNetwork = {
      _ throws(ChannelError) in try UDPMediaNetwork()
    },
    makeRandom: @escaping @Sendable (ChannelName?) -> any RandomNumberGenerator = { _ in SystemRandomNumberGenerator()
    },
    unixNanoseconds: @escaping @Sendable () -> Int = { RTCPSessionOptions.systemUnixNanoseconds },
    isStepped: Bool = false,
    networkType: (@Sendable (SocketAddress) -> NetworkType)? = nil,
    codec: SenderCodec? = nil, sourceID: UInt32 = 0, adapts: Bool = true, requestsPackets: Bool = true,
    onPacket: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    self.makeSignalling = makeSignalling
    self.makeMedia = makeMedia
    self.makeRandom = makeRandom
    self.unixNanoseconds = unixNanoseconds
    self.isStepped = isStepped
    let watch: @Sendable (SocketAddress) -> NetworkType = { NetworkType(toward: $0) }
    self.networkType = networkType ?? (isStepped ? nil : watch)
    self.codec = codec
    self.sourceID = sourceID
    self.adapts = adapts
    self.requestsPackets = requestsPackets
    self.onPacket = onPacket
  }
}
