/// Datagrams of other programs.
package enum RTCPVectors {
  /// GStreamer's rtpbin: a sender report, and a description with a canonical name and a tool.
  package static let gstreamer = bytes(
    "80c800060a8c571feeac4c34a43e425a742e67f0000000700000135c81ca000c0a8c571f011c75736572313831333539343935354068"
      + "6f73742d363937343063366206094753747265616d6572000000")
  /// ffmpeg: a sender report alone.
  package static let ffmpeg = bytes("80c80006d65661dc eeac4c17845a1cac ef22b46c 000000f9 0000279f")
  /// aiortc: a sender report with two blocks.
  package static let senderReport = bytes(
    "82c80012deadbeefb44db7052000000089abcdef000003e8000138801122334440fffffe0001fffe000001e0b705200000054000ffffff"
      + "ffff7fffffffffffffffffffff0000000000000000")
  /// aiortc: a receiver report with the first of these blocks, and one without.
  package static let receiverReport = bytes("81c90007000000011122334440fffffe0001fffe000001e0b705200000054000")
  package static let emptyReceiverReport = bytes("80c9000100000001")
  /// aiortc: a description with a canonical name; another with a canonical name and a name.
  package static let description = bytes(
    "81ca000cdeadbeef01267b36336634353965612d343166652d343437342d396433332d3937303763396565373964317d00000000")
  package static let twoItems = bytes("81ca00050000000701036162630205416c69636500000000")
  /// aiortc: two sources leave; none does.
  package static let bye = bytes("82cb0002deadbeef00000007")
  package static let emptyBye = bytes("80cb0000")
  /// aiortc: a NACK of packets 12, 32, 39, 54, 76, 110, 123, 142, 183, 187, 223, 236, 271, 292.
  package static let nack = bytes(
    "81cd000c00000001deadbeef000c00000020004000360000004c0000006e1000008e000000b7000800df1000010f000001240000")
  /// aiortc: a picture loss indication.
  package static let payloadFeedback = bytes("81ce00020000000100000002")

  package static let all = [
    gstreamer, ffmpeg, senderReport, receiverReport, emptyReceiverReport, description, twoItems, bye, emptyBye,
    nack, payloadFeedback,
  ]
}
