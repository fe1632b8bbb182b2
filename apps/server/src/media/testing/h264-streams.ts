/** One picture of 72 by 56 pixels in each way of coding it, made with x264; and the digest of its samples as FFmpeg decodes them. */

/** A stream with start codes, in base64. */
export interface StreamSample {
  readonly name: string;
  readonly stream: string;
  /** SHA-256 of luma, Cb and Cr, row by row. */
  readonly digest: string;
}

export const streamSamples: readonly StreamSample[] = [
  {
    name: 'codes of variable length',
    stream:
      'AAAAAWdCwArZBSeWXARAAAADAEAAAAMCg8SJkgAAAAFoy4LLIAAAAWWIhPxLurEQu7eKah/ZF0gV+VIFdDlLslgExrGGDTBm7AwmAAgMAlAA' +
      'RIJePMH9ZdYCa89QW/prDGVxcRy7jcbELcnmHi6WW0T5F5Jg+1YJGvf1T7Q3aTPhBChIKtclDS15WHKueJFl3EDeuX1cW73v6zd3NkEDGzly' +
      '43Hyb+BpQ+AKZqUttu3oap4o4Wll7pv3BAJGUIAEEYfwJBIW6gIp3eE1e21OSLBQci2ByziFof43XmqH1/ervVcEVNKe0XQlVr0ln+w0+dwg' +
      'IXWBAAQ7WAo3YmNqfK5Aj/vo/8KfhfbhGKfDhlEYnWmR4CITQD/OKw0NB8r+Ygyw5gygdhGMAGBlA13V27FWasRmu0mHUdzMh28oE9sl4+xL' +
      '9VL5+2aBvc0WAaDXCQFHgLKDAUZo0ib/sBGKmPphu6DcAMjWHSGPblK43J3ZSJJSgyNTnCVUAy90lDN2+bXhzeOHCQVNgo9PiYfrho7vJ/JR' +
      'jtvLLmvK4Aj8rH4PTbXUfoyomwnH6wgQhVBAAS4Y5iEVmFhFRxY0uY+iD/tQhgnIww7ehb/fGuh+ppUYudSzZ0NAv6fbld4ExRNB7Nymok3g' +
      'VVNzNMBsty1m59/1z0s2aLXWNiJ01Xa+faZ9s1Ezz/uDr5pHInXbUKV1Q8/utMmiZz1H3f2/IMlUR6whBAIPFhAAghqQPlvvhE3/aDa2n3Vt' +
      'Ku48dRO/FTz7BFtD9neR3tpuHvre9KyETO82BhPVWK6J3QG/DugkRes//N899ez99v4hd130+clc+b/b52y89ks7N/QB5DiUAGQX0Qivn5y8' +
      'kNylfwH41e37rrM30t8TOoEGwoQCDjsT8dnn35o6kDX2giwknBSuwMJ7cyYHbn1ucR0B6J6WPLh8yPr4FLt/+lvoRL7iz2iQPh0/Np5hJgOl' +
      'q/HLYVh6cCyhkLRKYfpi6VT5wJt1Y42/b3tFxwZcIIiPpNG8kSBDHoRiTZ53zOT6rjIqF6Z4PYYjw4DNDgACAGDA2DgNR4Tm/GKa8SkEw2Kq' +
      'wAg7PQGfWqKyCBjWdTQB7TI+U/at7vmD3Ls9+PJONKr46AW/5S9/bSluVIW1WtQcUPl4QEHUSEAPwPKI2kq46WaKJ73zF2Wf6NQ2iX9IxSg8' +
      'Bl3rEm6JYDSqyzNtaqgKfxlnt3uYqvd/w/zeyF2T/1Mj3zU54oL2OeqlS1RrmKITLffXt0ry5bT/dM6vWsjLemA7N6haS7nf++6nfqaNw3Wt' +
      'KXq6Ef66CgQxYQHOeNmOFXH1VxLRFOuDb7oDGcWb1QZn/7PVmWvAu+TmNp0uQPK+t+QndQJ1/9WYDWG7HYvWNPW+c5+lnUgb6XfNBSwN6R5d' +
      'pHJ3v4MKPpNYd/4CTmk57/vbz2IFKvKr9vIptyqe7EkkSdt1+5z0vCgACAKUwUYWXPDeuwA+VGk/pgNZ9vl/2OqVn6nCO6Rn4VerylF/Ad/n' +
      'UqRJUYM5Qm/s4YOLQw4VxWSJp+cxeKhlD5BKafJFeTLLGLDbaJeZ6jRrjah3TruM6p9V9UMiUvhOnD70ohwFLwwBf3YeL14iEF9FbVHBQScc' +
      'AYHwHRA6ZjgRYBkIPIEFSnWj6F+tz//HxipcnCWBbXlhqwn73gdpBd7xB0IhINHLcNJaw16mnA2cPHSirkjr/1NCXhTHu+2bid2kIq39VVAX' +
      '9mhfHThEacICOputZ+byDZvuRb1gac6YuvZZcA0c70Ynd8v/G3O1ESOI1ss3m59G9H4UCNAMcATGg+co7hRCi73C0dRQtZh/H+L9ue4uuXUn' +
      'wD/jRIwgYVRIVScdZTq/fXhkwBwkg7D6rP70KgZ5dQw=',
    digest: '4588e36673fe0a9a93daf73ecfc2e428e158e3845afd2c88614e968f9b6aeadb',
  },
  {
    name: 'arithmetic code',
    stream:
      'AAAAAWdNQArsopPLLgIgAAADACAAAAMBQeJEssAAAAABaOviyyAAAAFliIQD//nSGW9phPf5R1L1fbbChCU469uxoJ29yf70iA8gU5Xo5e7r' +
      'ler32uZYdaNkM2jhnzlC/fACfcmM/tumGndwhYmR+4Vf6AERwYPjxUDcemla73gLCoFnK9gAkqyHDedFthVXXlTj463zH8N2CPmqHtPPEgxi' +
      'FclLXHjLh4GYZAdw4ybW9VK8VyHoquRaES2uL5zsbNhVIgOWwfXdZlidmfueIDR9On1Qhad4ZwviN9Iw95J3dwXZ39CeeQDBEHFNXv70hyf6' +
      '61bxM1RtdXclqWBCwxJNm6n84HZ33uGtCBjISsI0kZsX94mbk/ULKe5P1o90uZTlCWSbC3knplJwJApsTGuevihmrGs7k7xcKpsyta0khBnY' +
      'Hap6YliYGZje03QLECmWRCI17MNPKC1f9h7Qi19KWEk7G5qSQKHs3Qt/UYsj8rNtnn7ITyVBYzw9ci0ovuxomumvmbn4U34Xq9eoo1PNDbkS' +
      'IzxLElo8dEAnrOzVmhkpXx/7H0GSI5CpL5JpAmB5u0J2yZm9RIPoadoF0ZjiPCzkmrVG6M3louVU58icYstZqXmLqlsYPCiANnDGQBtoD4Fo' +
      '3i6qp9enFZ398wsTf6MdnTCPN+jdxDgX4rf1mLd/vfwwDn45NzwLJFbTioAbGo11LwkRbY9geqqNami6XrPG44YfY3Qh9YSlw+9ZB/Em7u5S' +
      'KQyulFdBrrhJ8uZe0jmgNo3krK0rhxcMmk+iJ2E5N2K2HSGSunBUjcsHRD0mCYsEh3lnj129/bsiKK2a/gH7vd/Z8dj9w3W3SmQByFS9BJKR' +
      'tAsGxOy5zF63pwfRnVEyr8O0QFvv7NUWHRq2LT8MhYLLYfYhwbpbp0NG7sjBcqsIdq0XUAJXf+8F05DGztNcwKm6TpDC0soEs704K0XkHKu1' +
      'rpn0YhFRFgeSaJGWzhyjAYqRbpqoZsBUz1sv749ujCqmS8Ts2NPMPuvs23p2wB4WV5ePzPr7SuKQPPXKl7mcEoJRjhqG1QsuIPkOGE1xudNS' +
      'J3KsA4jl7NKJft7V1egQxXlmmDVGXQr7GumL4dmsUJTGQFQPp5auqE+obGyFq98xtzNFSsy6GPFgXC7/ruyHCDi0DWtsvnYcdZftcCXVmHdN' +
      'I2dPDhVwvzCrdTBMd7xAlDBlyTvretWeAvXSsF9H/i/wAQglYczsNhMNYxBv6ije9sGCAvP5/Ey8OdFaLkAhVxnBvxrsg8tYJRUNvg5cynhD' +
      'VDK5PuPzKRDBg0qcF7dPQ/QqMgJJc6wGD5efqj2V9y9VBZBPo2yI8RygE1FlTGaU4icv5WZc3njl00iMBGTnZqf+cRT0AQ35283mroc62nL1' +
      'TXgsf7yrPs/olFbu4hATRbSpcurR31c9qeuyuCLzF/Ig5eAaF96D/U0NVjFeQoXiRbm2Yge3/iRaS5+fj5w8/1IebRCuVUdDwk7EwT9qjLtE' +
      'E++meht5vQ9Tz1C3sw1H3YIZML0MNxYrZsmYJy1jhNZbhv+FXa/otQU2CAJyS+w6gu+fQYLBhykUqHYpMAGJJ98f/xrUQLyqrljK/bmQEQfo' +
      '0jyr7k6QEOMNpErqlox69a9+oJMWcbMHA38YfvSwDzrkqejxsdUNolR09MixKZ0/lHX8WqMMMzxXaTDPQY3sIl1lQk6ftwObVbtHIc8a38FM' +
      'p9xYAPgi5VCc1z5O45GtkdMKWRrwdE4bKhN1FpMZu584fxMduID9BK4ExxxLqhiALkt31KCe+3Xiiwjqqhm/0aO9QeZbtK9Oo4HtCG0JO1P/',
    digest: 'a5e763b8236008f80f2dea1c524273e85d0d6749067eec8ccdc8f0c89eca67ad',
  },
  {
    name: 'arithmetic code, blocks of 8 by 8, scaling lists',
    stream:
      'AAAAAWdkAAqs2UUnllwEQAAAAwBAAAADAoPEiWWAAAAAAWjr4TLMALAAAAFliIQD/3Qnqjrs42g8buLLYGuiQY9ZfEq8pn7D4+OycUjqVxDi' +
      'AG/Vv34B4rPaCQZuPLjXsGPzYEpUCGVsXPDeWspzlhJO0x+KrG6htzidAhCTv3LBUR4eTF0DqKUNss8PdwIb8TypQfvEXpFVxx9d118tM9zp' +
      'q3SvofDNZPJ27+KEwpfDZSpsvusp9rVqKxbsV9cw/MPmRF+A6iFkll35pqeLzrL0+AKIpdLXYCBa5JEFc4whHhIVmcywkl0OLalIzmyu5Cow' +
      'RkKThRtIi+ngHzsKrTyYiLH0UuZ/Kyf9MPuGJTVg2DPPwsCA5O7MMw1cr1gdCnS2UCZAbYTffP1zbcfTfomZIb7RRXyn4KqMcud5kWOC8bix' +
      '0OYS/+SmsSNpVnw5XIwWOqiU5Nu9l777nH0Z/ioFdPNS8fTlMwjrvTMTNtHmGbUOCIEMZLAKIloOg0xw3GghTHDqISk9bzodaRNP5sfhPH3B' +
      'iKID9WERPfg+ltW3c7xQKJB5KqyTLOMuOiWQEHUa5YlfsnyjrLi7cREeNMQSe/VSB0uFHu7i3BNGvad0Klec3UaFi+NlMdrR2nFyB0iADDaF' +
      'by1snpzkOK+humkXArz78HmMkyOhRGquoX8vZZniBIuMP03JD0kEmkMTP/iljFqtzUy9KcBRRIErmwgc5sxoLeYyuHarh7bTnEqUbawiiVSN' +
      'nQr0M4IAyYbb//2X6EACPauvpDQUZefE/+PPLxLSmrs+B5g7///zr4EqigdZ7lQICPF4j0s9IwQuDGmP0RYaMMhfMyqGjo4uBewuTOjTYn1g' +
      '154SIQVCee/WY4oWqcxHoDkFf/zLNXj8Xlpu5dgEAwRPEEZg6J4h+srt6ew1gaFTIb4utG/doOPEwq579+g4sDbSKkEhcs6jDiN8yCFyQJOK' +
      '579enAVg3Bs69mT5KfmuVJpFf7twkDlzw5l75YlwL10o9F3EayiaWJVLiEK0SN85NvdYxvbl6ltBWfsUvObptMEexE0s3Xy5yC9LxGpaoUsm' +
      'gph68/IGtNuCLu4tgn9pgJ+4W3BOxirstV3LGGj1RHxX5EyUloFnDi397qMcAMoo82vM2oq4bRI4NIWyT99GBAjFx8Nsp1lcgEqc8dHPzFk2' +
      'xYiWDHyfPCNpQfpiCkmarUYFQghDnFfqoPSns5dKQ8pdf64XvLdySrubNPYIi6oaeegPh7u6Htetcl/qRgMICiU4mt8GLTO7osxpLFAXobb9' +
      'hyxygfPwHjVrZcRqN14R0DrKO+pVnZJ9qq1uLS5Jcaxaxwn8gT/4hd/JKPDVwuFcGg655mzZlCx05cMaHRKmVRLQmg1wj45BeL8LzmBgC8CW' +
      'KeZ5YjMTWYkCLx4aiqQiun7vFdrVqoRiWQjoHVXLIx/Qy8bC7v97RXGPFqFCjs8XnvjWZQgytQg04yl1iQ8Hpmbd36SrS/cg3HK/kEA3LbWB' +
      'MyQhFlLwadH34pC4BpOj3tz6IbIql8zW3cVV3K0GikQxRoWghXDvAknri28DY6EvArMeC0o+zI7ow5yubFTWNDt+i9DLlSa6fA5aBJeJAq1W' +
      'S5lfq+Lv6aipuTMFmnidXIHnpmy4tDcCFswIOk7K1dmjFUSJSs+RmKNHOZG9zSdiwgRg8R8AvAFcmALdB5DVY8QXh3fydM8LrQHGNw9AbFKV' +
      'd5ElZq0+x2DJ8NOt7yVnxPw98gJN8coKxdsAOp8J4IywFykkFc2Snj1b2LSL7x+b8GmSq+XYfKfM6cIBVd3k1Dj61yBNP5l6WO46gKkTASXE' +
      'RFJRCxFd4Gl7mFvlCbH7k5Ta+xEG6cvtWNAa0BlZ3qj+dJ6YaL/sLjNGm8ZK3b2NFq99Aw4Nkqt1vM0fX4kStVUHeuEGa4529sTB7mKiVLlN' +
      'D4uwE6PsloLIxcnVdNTeLzzMTgfmaaF/gQ==',
    digest: '7a1da9f23038fbe189ca734e1b284cda07dc1a9de5070575cdaf99bc56d38a56',
  },
  {
    name: 'codes of variable length, blocks of 8 by 8, two slices',
    stream:
      'AAAAAWdkAAqs2UUnllwEQAAAAwBAAAADAoPEiWWAAAAAAWjL4ssiwAAAAWWIhAMhO7Pw8AAUmBStvTlpm32EfERgx0mliTfpeWxHlt4GEwAE' +
      'BgEoACJBLx5g/rLrATXnqC39NYYyuLiO7n3IETiQS9E5IKOFLUctStplvn5weNFCRpgq23GRBChIKtclDS15WHKueJFl3EDeuX1cW7273QQN' +
      '3B0HwsfFgGSMgCRo8J62DMbiwur3DAK3Pf78RSk5yO8BAJGUIAEEYfwJBGLbMAind4TV7bU5IsMHIuByziFof41/Uz9T96u70xgM4yoLVCVW' +
      '6Su/9a305uyEBC6wIACHawFG7ExtT5XIEf99H/hT8L7cIxT4cMojE60yMRPnFABieXoxYxVPjodukIcHOYjABgZQNd1duxVmrEZrtJh1Hczt' +
      'ZMjPY3TyidIWy9cBC6BnBNmMAkmroCDxK89oCygwFGaNIm/7ANqmPpiHug3ADI1h0hj2zd3JIUT4/yzwnvwP6kIY015pywILJ/NcxJDTMdsI' +
      'd39sKmRWAar5uWRDFYTZlXmQY2rXdSoYv/Io2+w5du1m0sUXvggQhUBAAS4Y5iEVmFhFRxY0uY+iD/vQhgnIww7ehb/fGuh+ppUYudSzZ0NA' +
      'v6fV/gTEQmi8u8CKiNgU3ObmaYDZblrN33/XOpbZotdY2InTVdv59xn2zUUzz/g6+aRyE67aQy6h3D5miGomatl+4/wxkpePR6rIIBB4kIAE' +
      'EPSB8t98Im/7QbW0+6tpV3HjqJ34qefYItofs7yO9tNw99b3pWQiZ3mwMJ6pddEMBdAb8O6CRFqz/83z317P32NBELuu+n1krn1v9j/bTn05' +
      'iT+gPVclABkF9EIr5+cvJDcpX8DWJXt+5rKb6LfDjCDYcIBBx1p+Ozz780dSBr7QRYSTgpXYGE9uZMDtz63OI6A9E9LHlw+ZH18Cl2//TJfR' +
      'mX3Fp1nYAsfN6tr3DkDs2g0xUOhlPAsoZC0SmH6YulU+cCbdWONv297RccGXAAABZRYiEAUhPA+JAAEAxgsbuwVArBfi1Eg7HSoLxFg0myK+' +
      'e0OtQ6nkQ4wASHMAAQIAbBwE0eE5vximvEpBAhsVVgBB2egM+Gp3RwPWa5i4fCaHJSr//M8tcQ/p7STjSrjBF/0Bt/yl73v/spbIqTLf86/S' +
      'VhkICDqLCAH4HhFg2cgadLNWT3vmLss/41Dx0v6Bi1BjLPzRa6JwNKrE+S6oCn9ZZ7d7mO6b2/dtkEvJf705AbLOl3t4oL2OfqlS1RfjEwuv' +
      'yv22jcNluS4Hj2tEa319dsrTfqFpLvd/++6nfqbHjdq0peroR/roJAICDwgAgqgNjZjhVx9U6JaIp1wbfdAYzizeqDM//Z6sy14F3ycxtOly' +
      'B5X1vyE7qBOv/qeg4bsdn9cIF2suSeSAD1pTwCBUcCYINQER4rLnmU/39YMQKfpU1m/qo3Jx8/fth8ogUq8rv28imxyqe6EkmSdt0yog8IIE' +
      'OCxADAAFApzngJ12AHyo0n9MBrPt8v+x1Ss2pwjukZ+FXq8pRfwHf51KkSVGDOcW4sQ/AEB8+ILf5apMM/dijmw0Y6Wpm/dhbWYxBiAOEgKB' +
      'E3RrjPxZDuls4VGb/RjMiUvAwvCNDhSiwEzlYiy+zuKkwNV318O4hx2Ic6T0IcAYPAaogdMx5YBkEPIEFSnWly9bh3YbvA8Uii3FogmXd4ih' +
      'ellG1Jb60XWapcxBaDBhoaOW4aSP2GvU04GzjwwpQmO6/9TRJYnHunbAx2kUH1/Nckf5lUc6M4RDShARVP1rPzeQbN9yLZfghzqLr2WXANHL' +
      '0Yju8v/7naiIjiP0eXKRMh7mPvhkBEYGOAExoPnKO4UQou9wtHUULWYfx/i/bnuLrm3xKgAP1GNTpT7lctbbNeGTAHCUDsPqs/vQqBnl1DA=',
    digest: '961d341daff68846f5ad813c75366177b76533ddfffa127bb247788a052535fe',
  },
];
