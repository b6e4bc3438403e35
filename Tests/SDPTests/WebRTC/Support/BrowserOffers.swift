/// Offers as other programs write them; digests, names and addresses are examples.
enum BrowserOffers {
  static let digest = "75:74:5A:A6:A4:E5:52:F4:A7:67:4C:01:C7:EE:91:3F:21:3D:A2:E3:53:7B:6F:30:86:F2:30:AA:65:FB:04:24"

  /// Chromium: audio to send, audio to receive, video and data, as max-bundle.
  static let chromium = text(
    """
    v=0
    o=- 4611731400430051336 2 IN IP4 127.0.0.1
    s=-
    t=0 0
    a=group:BUNDLE 0 1 2 3
    a=extmap-allow-mixed
    a=msid-semantic: WMS local
    m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
    c=IN IP4 0.0.0.0
    a=rtcp:9 IN IP4 0.0.0.0
    a=ice-ufrag:gydc
    a=ice-pwd:qEA+KCGezaoGknNYbpAADXBK
    a=ice-options:trickle
    a=fingerprint:sha-256 \(digest)
    a=setup:actpass
    a=mid:0
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
    a=sendrecv
    a=msid:local 0b3a1a5f-track
    a=rtcp-mux
    a=rtcp-rsize
    a=rtpmap:111 opus/48000/2
    a=rtcp-fb:111 transport-cc
    a=fmtp:111 minptime=10;useinbandfec=1
    a=rtpmap:63 red/48000/2
    a=fmtp:63 111/111
    a=rtpmap:9 G722/8000
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=rtpmap:13 CN/8000
    a=rtpmap:110 telephone-event/48000
    a=rtpmap:126 telephone-event/8000
    a=ssrc:2550536406 cname:4TOk42mSjXCkVIa6
    a=ssrc:2550536406 msid:local 0b3a1a5f-track
    m=audio 9 UDP/TLS/RTP/SAVPF 111
    c=IN IP4 0.0.0.0
    a=ice-ufrag:gydc
    a=ice-pwd:qEA+KCGezaoGknNYbpAADXBK
    a=ice-options:trickle
    a=fingerprint:sha-256 \(digest)
    a=setup:actpass
    a=mid:1
    a=recvonly
    a=rtcp-mux
    a=rtpmap:111 opus/48000/2
    a=fmtp:111 minptime=10;useinbandfec=1
    m=video 9 UDP/TLS/RTP/SAVPF 96 97
    c=IN IP4 0.0.0.0
    a=ice-ufrag:gydc
    a=ice-pwd:qEA+KCGezaoGknNYbpAADXBK
    a=fingerprint:sha-256 \(digest)
    a=setup:actpass
    a=mid:2
    a=sendrecv
    a=rtcp-mux
    a=rtpmap:96 VP8/90000
    a=rtpmap:97 rtx/90000
    a=fmtp:97 apt=96
    m=application 9 UDP/DTLS/SCTP webrtc-datachannel
    c=IN IP4 0.0.0.0
    a=ice-ufrag:gydc
    a=ice-pwd:qEA+KCGezaoGknNYbpAADXBK
    a=fingerprint:sha-256 \(digest)
    a=setup:actpass
    a=mid:3
    a=sctp-port:5000
    """)

  /// Firefox: the digest and the options stand in the session part, and the second audio is bundle-only.
  static let firefox = text(
    """
    v=0
    o=mozilla...THIS_IS_SDPARTA-99.0 6231542712043453452 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=fingerprint:sha-256 \(digest)
    a=group:BUNDLE 0 1
    a=ice-options:trickle
    a=msid-semantic:WMS *
    m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101
    c=IN IP4 0.0.0.0
    a=sendrecv
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=extmap:2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level
    a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
    a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1
    a=fmtp:101 0-15
    a=ice-pwd:d5a4b9e0c4f1f7a5b8c3e2d1f0a9b8c7
    a=ice-ufrag:7d1a0b2c
    a=mid:0
    a=msid:{stream} {track}
    a=rtcp-mux
    a=rtpmap:109 opus/48000/2
    a=rtpmap:9 G722/8000/1
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=rtpmap:101 telephone-event/8000/1
    a=setup:actpass
    a=ssrc:2655508255 cname:{cname}
    m=audio 0 UDP/TLS/RTP/SAVPF 109
    c=IN IP4 0.0.0.0
    a=bundle-only
    a=recvonly
    a=mid:1
    a=rtcp-mux
    a=rtpmap:109 opus/48000/2
    a=ice-pwd:d5a4b9e0c4f1f7a5b8c3e2d1f0a9b8c7
    a=ice-ufrag:7d1a0b2c
    a=setup:actpass
    """)

  /// ffmpeg's WHIP muxer: no parameters, level, feedback or candidates; it is the DTLS server.
  static let whip = text(
    """
    v=0
    o=FFmpeg 4489045141692799359 2 IN IP4 127.0.0.1
    s=FFmpegPublishSession
    t=0 0
    a=group:BUNDLE 0 1
    a=extmap-allow-mixed
    a=msid-semantic: WMS
    m=audio 9 UDP/TLS/RTP/SAVPF 111
    c=IN IP4 0.0.0.0
    a=ice-ufrag:9e7a3b01
    a=ice-pwd:0123456789abcdef0123456789abcdef
    a=fingerprint:sha-256 \(digest)
    a=setup:passive
    a=mid:0
    a=sendonly
    a=msid:FFmpeg audio
    a=rtcp-mux
    a=rtpmap:111 opus/48000/2
    a=ssrc:3735928559 cname:FFmpeg
    a=ssrc:3735928559 msid:FFmpeg audio
    m=video 9 UDP/TLS/RTP/SAVPF 106
    c=IN IP4 0.0.0.0
    a=ice-ufrag:9e7a3b01
    a=ice-pwd:0123456789abcdef0123456789abcdef
    a=fingerprint:sha-256 \(digest)
    a=setup:passive
    a=mid:1
    a=sendonly
    a=rtcp-mux
    a=rtcp-rsize
    a=rtpmap:106 H264/90000
    """)

  private static func text(_ lines: String) -> String { lines.replacing("\n", with: "\r\n") + "\r\n" }
}
